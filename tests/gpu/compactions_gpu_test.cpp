// Selections and reductions by key on a GPU: every schedule and strategy, every predicate and type, types of keys and
// values, any size, in place and not.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/port_rings.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::flagged_selection;
using test::reduction_by_key;
using test::selection;

// On five kinds of data: kept are none, a few, half, most or all.
void expect_right(const Plan& plan, std::uint64_t n, std::uint64_t seed) {
  for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
    ASSERT_EQ(test::compact_and_compare(test::gpu_engine()->device(), plan, n, seed, layout), std::nullopt)
        << n << " items, seed " << seed << (layout.in_place ? ", in place" : "");
  }
}

class GpuCompactionStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuCompactionStrategies, GiveWhatAPlainLoopGives) {
  const auto& engine = test::gpu_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::uint64_t seed = 0;
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile + 1, 37 * tile + 5, 300 * tile + 7}) {
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, n, ++seed));
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuCompactionStrategies,
                         testing::ValuesIn(test::strategies({selection(less, Type::i32), selection(less, Type::u8),
                                                             flagged_selection(not_equal_to, Type::f32, Type::u8),
                                                             reduction_by_key(plus, Type::f64, Type::u32)},
                                                            limits_of_architecture("sm_90"), test::Tiles::small)),
                         test::by_name);

class GpuCompactions : public testing::TestWithParam<Problem> {};

TEST_P(GpuCompactions, GiveWhatAPlainLoopGives) {
  const bool by_key = GetParam().algorithm == Algorithm::reduce_by_key;
  for (const std::uint64_t n : {100, 10'007, by_key ? 3'000'017 : 1'000'003}) {
    Problem problem = GetParam();
    problem.size = n;
    const Plan plan = test::gpu_engine()->plan(problem, nullptr);
    for (std::uint64_t seed = 0; seed < 5; seed += by_key ? 1 : 4) ASSERT_NO_FATAL_FAILURE(expect_right(plan, n, seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Selections, GpuCompactions, testing::ValuesIn(test::all_selections()), [](const auto& given) {
  return fmt::format("{}_{}", name(given.param.op), name(given.param.input));
});

INSTANTIATE_TEST_SUITE_P(
    ByKey, GpuCompactions,
    testing::Values(reduction_by_key(plus, Type::f64, Type::u32), reduction_by_key(plus, Type::i32, Type::u8),
                    reduction_by_key(plus, Type::f32, Type::u64), reduction_by_key(plus, Type::c128, Type::i16),
                    reduction_by_key(plus, Type::u8, Type::u32)),
    [](const auto& given) { return fmt::format("{}_{}", name(*given.param.key), name(given.param.input)); });

}  // namespace
}  // namespace upsweep
