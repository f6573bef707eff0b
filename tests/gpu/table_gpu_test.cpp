// The correctness table at real sizes: every algorithm x operator x type with its default config, and every strategy.

#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::Data;
using test::large_size;

std::vector<Problem> table() {
  std::vector<Problem> problems = test::all_problems();
  for (const Problem& mixed : test::mixed_problems()) problems.push_back(mixed);
  return problems;
}

class GpuTable : public testing::TestWithParam<Problem> {};

TEST_P(GpuTable, DefaultConfig) {
  const auto& engine = test::gpu_engine();
  for (const std::uint64_t size : {std::uint64_t{1} << 12, std::uint64_t{1} << 24}) {
    Problem problem = GetParam();
    problem.size = size;
    const Plan plan = engine->plan(problem, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (const std::uint64_t n : test::awkward_sizes(tile)) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n), std::nullopt);
    }
    // References of sizes that refill a ring take seconds: one run of that size, off an aligned address.
    const std::uint64_t large = size == 1 << 12 ? 100'003 : (1 << 20) + 3, refilling = large_size(plan, large);
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, large, Data::random, 1), std::nullopt);
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, large, Data::constant, 2), std::nullopt);
    EXPECT_EQ(
        test::run_and_compare(engine->device(), plan, refilling, Data::random, 3, {.in_offset = 1, .out_offset = 3}),
        std::nullopt);
    if (size_of(problem.input) != size_of(problem.output)) continue;
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, large, Data::random, 4, {.in_place = true, .in_offset = 1}),
              std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, GpuTable, testing::ValuesIn(table()),
                         [](const auto& parameter) { return test::test_name(parameter.param); });

using test::Strategy;

std::vector<Strategy> strategies() {
  return test::strategies(test::gpu_strategy_problems(), limits_of_architecture("sm_90"), test::Tiles::usual);
}

class GpuStrategies : public testing::TestWithParam<Strategy> {};

TEST_P(GpuStrategies, MatchSequentialLoop) {
  const auto& engine = test::gpu_engine();
  if (!Space(GetParam().problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  // References of sizes that refill a ring take seconds: each strategy meets one layout, or the aligned one, at that
  // size.
  const std::uint64_t refilling = large_size(plan, 1'000'003);
  const std::vector<test::Layout> layouts = test::misaligned_layouts(GetParam().problem);
  const std::size_t refilled = std::hash<std::string>{}(GetParam().name) % (layouts.size() + 1);
  const std::uint64_t aligned = refilled == layouts.size() ? refilling : 1'000'003;
  for (const std::uint64_t n : {std::uint64_t{1}, plan.source().launch.items_per_tile + 1, aligned}) {
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n), std::nullopt);
  }
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const std::uint64_t n = i == refilled ? refilling : 100'003;
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, 5, layouts[i]), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuStrategies, testing::ValuesIn(strategies()), test::by_name);

// What strategies() has one at a time.
std::vector<Strategy> rings() {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::affine, Type::u32, Type::u32);
  const Space space(problem, limits_of_architecture("sm_90"));
  std::vector<Strategy> found = test::ring_ways(problem);
  for (Strategy& each : found) each.config = space.complete(each.config);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Rings, GpuStrategies, testing::ValuesIn(rings()), test::by_name);

// tests/runtime/special_test.cpp has the same cases on the host device.
class GpuSpecial : public testing::TestWithParam<Strategy> {};

TEST_P(GpuSpecial, MatchesSequentialLoop) {
  const auto& engine = test::gpu_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const Data data : test::special_data()) {
    for (const std::uint64_t n : {std::uint64_t{37}, 3 * tile + 5, std::uint64_t{100'003}}) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, data, n), std::nullopt);
    }
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, 10'007, data, 2, {.in_offset = 1, .out_offset = 1}),
              std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuSpecial,
                         testing::ValuesIn(test::special_strategies(limits_of_architecture("sm_90"),
                                                                    test::Tiles::usual)),
                         test::by_name);

INSTANTIATE_TEST_SUITE_P(Ways, GpuSpecial,
                         testing::ValuesIn(test::special_ways(limits_of_architecture("sm_90"), test::Tiles::usual)),
                         test::by_name);

class GpuNarrowExtremes : public testing::TestWithParam<Strategy> {};

TEST_P(GpuNarrowExtremes, MatchSequentialLoop) {
  const auto& engine = test::gpu_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (const Data data : {Data::stepping, Data::random}) {
    for (const std::uint64_t n : test::awkward_sizes(plan.source().launch.items_per_tile)) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, data, n), std::nullopt);
    }
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, 3'000'017, data, 6), std::nullopt);
  }
  for (const test::Layout& layout : test::misaligned_layouts(GetParam().problem)) {
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, 100'003, Data::stepping, 5, layout), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuNarrowExtremes,
                         testing::ValuesIn(test::narrow_extremes(limits_of_architecture("sm_90"), test::Tiles::usual)),
                         test::by_name);

}  // namespace
}  // namespace upsweep
