// The sizes that the tables give to schedules with a ring of stages refill it three times on the GPU that they run on.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "generator/schedule.hpp"
#include "tests/support/axis.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/every_lane.hpp"
#include "tests/support/runs.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

constexpr int multiprocessors = 132;  // of an H200

// Fills of each stage by each block, on average: blocks take tiles as they ask.
double rounds(const LaunchRule& launch, const Config& config, std::uint64_t n) {
  const std::uint64_t tiles = n / launch.items_per_tile;
  return static_cast<double>(tiles) / static_cast<double>(launch.blocks(n, multiprocessors)) /
         static_cast<double>(config.integer("stages"));
}

void expect_refilled(const std::vector<test::Strategy>& strategies, std::size_t fewest, std::uint64_t most_bytes) {
  std::size_t rings = 0;
  for (const test::Strategy& strategy : strategies) {
    const LaunchRule launch = generate_steps(strategy.problem, strategy.config).front().launch;
    const std::uint64_t n = test::refilling_items(launch, strategy.config, multiprocessors);
    EXPECT_EQ(n > 0, strategy.config.schedule == "lookahead") << strategy.name;
    if (n == 0) continue;
    ++rings;
    EXPECT_GE(rounds(launch, strategy.config, n), 3.0) << strategy.name;
    EXPECT_LT(rounds(launch, strategy.config, n - launch.items_per_tile), 3.0) << strategy.name << ": more than asked";
    EXPECT_LE(n * size_of(strategy.problem.input), most_bytes) << strategy.name;
  }
  EXPECT_GE(rings, fewest);
}

TEST(Rings, AreRefilledByTheTableOfStrategies) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  expect_refilled(test::strategies(test::gpu_strategy_problems(), limits, test::Tiles::usual), 200, 100 << 20);
}

TEST(Rings, AreRefilledUnderSanitizersByFewItems) {
  expect_refilled(test::sanitized_strategies(limits_of_architecture("sm_90")), 20, 32 << 20);
}

TEST(Rings, AreRefilledByTheTableOfProblems) {
  for (Problem problem : test::all_problems()) {
    problem.size = 1 << 24;
    const Space space(problem, limits_of_architecture("sm_90"));
    const Config config = space.default_config();
    if (config.schedule != "lookahead") continue;
    const LaunchRule launch = generate(problem, config).launch;
    const std::uint64_t n = test::refilling_items(launch, config, multiprocessors);
    EXPECT_GE(rounds(launch, config, n), 3.0) << to_string(problem);
  }
}

TEST(Rings, OtherSchedulesHaveNone) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  const Space space(problem, limits_of_architecture("sm_90"));
  const Config config = space.complete({"lookback", {}});
  EXPECT_EQ(test::refilling_items(generate(problem, config).launch, config, multiprocessors), 0u);
}

TEST(Rings, EveryWayIsAConfigOfAGpu) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::affine, Type::u32, Type::u32);
  const Space space(problem, limits_of_architecture("sm_90"));
  std::set<Config> ways;
  for (const test::Strategy& each : test::ring_ways(problem)) {
    const Config config = space.complete(each.config);
    EXPECT_TRUE(space.contains(config)) << each.name;
    ways.insert(config);
  }
  EXPECT_EQ(ways.size(), 3u * 4 * 2 * 2);
}

// With the defaults of the schedules, every value of every parameter that chooses a path.
TEST(Special, EveryFloatingTypeMeetsEveryPath) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  std::vector<test::Strategy> all = test::special_ways(limits, test::Tiles::usual);
  EXPECT_LT(all.size(), 100u);
  for (test::Strategy& each : test::special_strategies(limits, test::Tiles::usual)) all.push_back(std::move(each));
  for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
    for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
      const Problem problem = make_problem(algorithm, Operator::maximum, type, type);
      std::set<std::pair<std::string, ParameterValue>> wanted;
      const Space space(problem, limits);
      for (const Schedule* schedule : space.schedules()) {
        for (const Parameter& parameter : schedule->parameters(problem)) {
          for (const char* path : {"arithmetic", "load", "fill", "store", "emit", "accumulate"}) {
            if (parameter.name != path) continue;
            for (const ParameterValue& value : parameter.values) wanted.emplace(parameter.name, value);
          }
        }
      }
      EXPECT_GE(wanted.size(), 5u);
      for (const test::Strategy& each : all) {
        if (each.problem.algorithm != algorithm || each.problem.input != type) continue;
        for (const auto& value : each.config.values) wanted.erase(value);
      }
      for (const auto& [name, value] : wanted)
        ADD_FAILURE() << to_string(problem) << ": " << name << " " << to_string(value);
    }
  }
}

// Sources change, and racecheck runs on a GPU only: the edits must fit what is generated today.
TEST(Strategies, EveryLaneArrivesInTheSourcesThatRacecheckRuns) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  std::vector<test::Strategy> all = test::sanitized_strategies(limits);
  for (const auto& more : {test::sanitized_compact_strategies(limits), test::run_strategies(limits)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  int edited = 0;
  for (const test::Strategy& strategy : all) {
    const std::string before = generate_steps(strategy.problem, strategy.config).front().text;
    std::string text = before;
    ASSERT_NO_THROW(test::let_every_lane_arrive(text)) << strategy.name;
    EXPECT_EQ(text != before, strategy.config.schedule == "lookahead") << strategy.name;
    edited += text != before ? 1 : 0;
  }
  EXPECT_GE(edited, 30);
  const Problem scan = test::axis_of_type(Algorithm::inclusive_scan, plus, Type::f32);
  const Problem sums = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  const Problem flat_scan = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32);
  for (const auto& [problem, schedule] :
       {std::pair{test::axis_of_type(Algorithm::reduce, plus, Type::f32), "axis_shares"},
        {scan, "axis_lookahead"},
        {scan, "axis_pipeline"},
        {test::axis_of_type(Algorithm::reduce, plus, Type::f32), "axis_pipeline"},
        {in_segments(sums, 1000, 64'000, Type::u32), "segment_pieces"},
        {in_segments(flat_scan, 1000, 64'000, Type::u32), "lookahead"}}) {
    const std::string before = generate(problem, Space(problem, limits).complete({schedule, {}})).text;
    std::string text = before;
    ASSERT_NO_THROW(test::let_every_lane_arrive(text)) << schedule;
    EXPECT_NE(text, before) << schedule;
  }
}

}  // namespace
}  // namespace upsweep
