// unique, unique_by_key, run_length_encode, nontrivial_runs, nonzero and adjacent_difference on a GPU: every schedule,
// types, any size, in place and not.
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/runs.hpp"

namespace upsweep {
namespace {

using test::runs_of_type;

constexpr double run_lengths[] = {8, 1, 100, 1e5, 1e18};

const test::Layout layouts[] = {{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}};

void expect_right(const Plan& plan, std::uint64_t n, double length) {
  const test::PortCase call = test::make_runs_case(plan.problem(), n, length, n);
  for (const test::Layout& layout : layouts) {
    ASSERT_EQ(test::run_and_compare(test::gpu_engine()->device(), plan, call, layout), std::nullopt)
        << n << " items, runs of " << length << (layout.in_place ? ", in place" : "");
  }
}

class GpuRunStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuRunStrategies, GiveWhatAPlainLoopGives) {
  const auto engine = test::gpu_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::uint64_t turn = 0;
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile + 1, 37 * tile + 5,
                                test::large_size(plan, 300 * tile + 7)}) {
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, n, run_lengths[turn++ % std::size(run_lengths)]));
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuRunStrategies,
                         testing::ValuesIn(test::run_strategies(limits_of_architecture("sm_90"))), test::by_name);

class GpuRuns : public testing::TestWithParam<Problem> {};

TEST_P(GpuRuns, AreThoseOfAPlainLoop) {
  for (const std::uint64_t n : {100, 10'007, 3'000'017}) {
    Problem problem = GetParam();
    problem.size = n;
    const Plan plan = test::gpu_engine()->plan(problem, nullptr);
    for (const double length : run_lengths) ASSERT_NO_FATAL_FAILURE(expect_right(plan, n, length));
  }
}

std::vector<Problem> problems_of_runs() {
  std::vector<Problem> all;
  for (const Type type : {Type::u8, Type::i16, Type::u32, Type::f32, Type::f64, Type::c128}) {
    for (const Algorithm algorithm : {Algorithm::unique, Algorithm::run_length_encode, Algorithm::nontrivial_runs}) {
      all.push_back(runs_of_type(algorithm, equal_to, type));
    }
    all.push_back(runs_of_type(Algorithm::nonzero, not_equal_to, type));
    all.push_back(runs_of_type(Algorithm::adjacent_difference, minus, type));
  }
  for (const Operator op : {maximum, affine}) {
    all.push_back(runs_of_type(Algorithm::adjacent_difference, op, Type::u64));
  }
  for (const auto& [key, value] : {std::pair{Type::u32, Type::f64},
                                   {Type::u8, Type::i32},
                                   {Type::u64, Type::f32},
                                   {Type::i16, Type::c128},
                                   {Type::f32, Type::u8}}) {
    all.push_back(runs_of_type(Algorithm::unique_by_key, equal_to, value, key));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GpuRuns, testing::ValuesIn(problems_of_runs()),
                         [](const auto& given) { return test::test_name(given.param); });

}  // namespace
}  // namespace upsweep
