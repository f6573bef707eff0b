// select_if on a GPU: every schedule and strategy, every predicate and type, any size, in place and not.
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::flagged_selection;
using test::selection;

constexpr double shares[] = {0.5, 0, 0.01, 0.99, 1};

std::shared_ptr<runtime::Engine> gpu_engine() {
  static const std::shared_ptr<runtime::Engine> engine =
      runtime::Engine::open({.device = "cuda", .database = "none", .record_wanted = false});
  return engine;
}

class GpuSelectionStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuSelectionStrategies, KeepWhatAPlainLoopKeeps) {
  const auto engine = gpu_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::uint64_t seed = 0;
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile + 1, 37 * tile + 5, 300 * tile + 7}) {
    const double share = shares[seed++ % std::size(shares)];
    for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
      ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, share, seed, layout), std::nullopt)
          << n << " items, share " << share << (layout.in_place ? ", in place" : "");
    }
  }
}

std::vector<test::Strategy> strategies_of_selections() {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  return test::strategies(
      {selection(less, Type::i32), selection(less, Type::u8), flagged_selection(not_equal_to, Type::f32, Type::u8)},
      limits, test::Tiles::small);
}

INSTANTIATE_TEST_SUITE_P(All, GpuSelectionStrategies, testing::ValuesIn(strategies_of_selections()),
                         [](const auto& given) { return given.param.name; });

class GpuSelections : public testing::TestWithParam<Problem> {};

TEST_P(GpuSelections, KeepWhatAPlainLoopKeeps) {
  const auto engine = gpu_engine();
  for (const std::uint64_t n : {100, 10'007, 1'000'003}) {
    Problem problem = GetParam();
    problem.size = n;
    const Plan plan = engine->plan(problem, nullptr);
    for (const double share : {0.5, 0.9}) {
      for (const bool in_place : {false, true}) {
        ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, share, n, {.in_place = in_place}), std::nullopt)
            << n << " items, share " << share << (in_place ? ", in place" : "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuSelections, testing::ValuesIn(test::all_selections()), [](const auto& given) {
  return std::string(name(given.param.op)) + "_" + std::string(name(given.param.input));
});

}  // namespace
}  // namespace upsweep
