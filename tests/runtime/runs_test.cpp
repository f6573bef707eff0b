// unique, unique_by_key, run_length_encode, nontrivial_runs, nonzero, scans by key and adjacent differences on the host
// device: every schedule and strategy, types, in place and not, against a plain loop.
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::runs_of_type;

// Average lengths of runs; in the last data, all items are equal.
constexpr double run_lengths_of_tests[] = {8, 1, 1.5, 100, 1e18};

const test::Layout layouts_of_runs[] = {{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}};

class RunStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(RunStrategies, GiveWhatAPlainLoopGives) {
  const auto engine = test::host_engine();
  const Problem& problem = GetParam().problem;
  const Plan plan = engine->plan(problem, GetParam().config, nullptr);
  std::uint64_t seed = 0;
  for (const std::uint64_t n : test::awkward_sizes(plan.source().launch.items_per_tile)) {
    const double length = run_lengths_of_tests[seed++ % std::size(run_lengths_of_tests)];
    const test::PortCase call = test::make_runs_case(problem, n, length, seed);
    for (const test::Layout& layout : layouts_of_runs) {
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
          << n << " items, runs of " << length << ", seed " << seed << (layout.in_place ? ", in place" : "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RunStrategies, testing::ValuesIn(test::run_strategies(runtime::HostDevice().limits())),
                         test::by_name);

TEST(Runs, OfEveryTypeAndPredicateAreThoseOfAPlainLoop) {
  const auto engine = test::host_engine();
  std::vector<Problem> problems;
  for (const Type type : all_types()) problems.push_back(runs_of_type(Algorithm::unique, equal_to, type));
  for (const Type type : all_types()) problems.push_back(runs_of_type(Algorithm::run_length_encode, equal_to, type));
  for (const Operator op : all_predicates()) problems.push_back(runs_of_type(Algorithm::unique, op, Type::f16));
  for (const Operator op : all_predicates()) problems.push_back(runs_of_type(Algorithm::nonzero, op, Type::i16));
  for (const Problem& problem : problems) {
    const Plan plan =
        engine->plan(problem, {.schedule = "single_block", .values = {{"threads_per_block", 64}}}, nullptr);
    for (const double length : {1.0, 3.0}) {
      const test::PortCase call = test::make_runs_case(problem, 777, length, 5);
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call), std::nullopt) << to_string(problem);
    }
  }
}

TEST(Runs, OfKeysAndValuesOfEveryWidthAreThoseOfAPlainLoop) {
  const auto engine = test::host_engine();
  for (const auto& [key, value] : {std::pair{Type::u8, Type::u64},
                                   {Type::f64, Type::i8},
                                   {Type::i16, Type::f32},
                                   {Type::u32, Type::c128},
                                   {Type::c64, Type::u8}}) {
    for (const char* schedule : {"lookback", "all_aggregates", "lookahead", "sequential"}) {
      const Problem problem = runs_of_type(Algorithm::unique_by_key, equal_to, value, key);
      const Plan plan = engine->plan(problem, {.schedule = schedule, .values = {}}, nullptr);
      for (const test::Layout& layout : layouts_of_runs) {
        const test::PortCase call = test::make_runs_case(problem, 5003, 2, 1);
        ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
            << to_string(problem) << " " << schedule;
      }
    }
  }
}

// Where a thread has one item, the two items before it are those of two other threads. Whatever lies before the first
// item of all differs from it.
TEST(Runs, OfAtLeastTwoItemsAreThoseOfAPlainLoop) {
  const auto engine = test::host_engine();
  Problem wide = runs_of_type(Algorithm::nontrivial_runs, less_equal, Type::i8);
  wide.accumulator = wide.output = Type::u64;
  const std::pair<Problem, Config> cases[] = {
      {wide, {"lookback", {{"threads_per_block", 64}, {"items_per_thread", 1}, {"load", "direct"}}}},
      {runs_of_type(Algorithm::nontrivial_runs, not_equal_to, Type::c128),
       {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}}}},
      {runs_of_type(Algorithm::nontrivial_runs, equal_to, Type::f16),
       {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 3}}}},
      {runs_of_type(Algorithm::nontrivial_runs, greater, Type::f64),
       {"single_block", {{"threads_per_block", 64}, {"items_per_thread", 2}}}}};
  for (const auto& [problem, config] : cases) {
    const Plan plan = engine->plan(problem, config, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (const std::uint64_t n : {std::uint64_t{2}, std::uint64_t{3}, tile, tile + 1, tile + 2, 3 * tile + 1}) {
      for (const double length : {1.0, 2.0, 5.0}) {
        for (int offset = 0; offset < 3; ++offset) {
          const test::PortCase call = test::make_runs_case(problem, n, length, n);
          ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, {.in_offset = offset}), std::nullopt)
              << to_string(problem) << ", " << n << " items, offset " << offset;
        }
      }
    }
  }
}

TEST(Runs, CountsAndIndicesHaveBothTypes) {
  const auto engine = test::host_engine();
  for (const Type type : {Type::u32, Type::u64}) {
    for (const Algorithm algorithm : {Algorithm::unique, Algorithm::nonzero, Algorithm::run_length_encode}) {
      Problem problem = problem_of(algorithm, equal_to, Type::i16, type, {});
      for (const char* schedule : {"lookback", "lookahead", "single_block"}) {
        const Plan plan = engine->plan(problem, {.schedule = schedule, .values = {}}, nullptr);
        for (const std::uint64_t n : {0, 1, 9000}) {
          const test::PortCase call = test::make_runs_case(problem, n, 4, n);
          ASSERT_EQ(test::run_and_compare(engine->device(), plan, call), std::nullopt)
              << to_string(problem) << " " << schedule << " " << n << " items";
        }
      }
    }
  }
}

// Threads have 48 items each, whose marks fill two words. Few positions and many are gathered in ways of their own.
TEST(Runs, ByPositionsOfManyItemsPerThreadAreThoseOfAPlainLoop) {
  const auto engine = test::host_engine();
  const Config config{"lookahead", {{"emit", "positions"}, {"worker_warps", 1}, {"vectors_per_thread", 3}}};
  for (const Algorithm algorithm : {Algorithm::unique, Algorithm::nontrivial_runs}) {
    const Plan plan = engine->plan(problem_of(algorithm, equal_to, Type::u8, {}, {}), config, nullptr);
    for (const double length : {1.0, 3.0, 40.0, 1000.0}) {
      const test::PortCase call = test::make_runs_case(plan.problem(), 5000, length, 1);
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call), std::nullopt)
          << to_string(plan.problem()) << ", runs of " << length;
    }
  }
}

TEST(Runs, NansAreRunsOfTheirOwnAndZerosOfBothSignsAreOne) {
  const auto engine = test::host_engine();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> in{0.0f, -0.0f, nan, nan, -0.0f, 0.0f};
  std::vector<float> out(6, 9.0f);
  std::vector<std::uint32_t> lengths(6, 9);
  std::uint64_t count = 0;
  const Plan unique = engine->plan(runs_of_type(Algorithm::unique, equal_to, Type::f32), nullptr);
  unique.run(Arguments(6).array("in", in.data()).array("out", out.data()).array("count", &count));
  EXPECT_EQ(count, 4u);
  EXPECT_FALSE(std::signbit(out[0]));  // the first of each run
  EXPECT_TRUE(std::isnan(out[1]) && std::isnan(out[2]) && std::signbit(out[3]));
  const Plan encode = engine->plan(runs_of_type(Algorithm::run_length_encode, equal_to, Type::f32), nullptr);
  encode.run(Arguments(6)
                 .array("in", in.data())
                 .array("unique", out.data())
                 .array("lengths", lengths.data())
                 .array("count", &count));
  EXPECT_EQ(count, 4u);
  EXPECT_TRUE(std::signbit(out[0]) && !std::signbit(out[3]));  // the last of each run
  EXPECT_EQ(lengths, (std::vector<std::uint32_t>{2, 1, 1, 2, 9, 9}));
}

class HostileRuns : public testing::TestWithParam<std::tuple<const char*, Algorithm>> {};

// In place, tiles write where others read, the item before a tile's first included: a tile that writes too early is
// seen.
TEST_P(HostileRuns, AreThoseOfAPlainLoop) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const auto& [schedule, algorithm] = GetParam();
  const Problem problem = test::usual_runs(algorithm, Type::u32);
  const Space space(problem, device->limits());
  const bool is_ring = std::string_view(schedule) == "lookahead";
  Config config = test::with_small_tiles(space, space.complete({.schedule = schedule, .values = {}}));
  if (is_ring) {
    config.values["stages"] = 4;
    config.values["reduce_ahead"] = 1;
  } else {
    config.values["items_per_thread"] = 2;
  }
  const Plan plan = engine->plan(problem, config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (std::uint64_t seed = 1; seed <= (is_ring ? 30 : 60); ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    const std::uint64_t n = (is_ring ? 2 : 1) * (seed % 12) * tile + seed % (2 * tile);
    const test::Layout layout{.in_place = seed % 2 == 0, .in_offset = static_cast<int>(seed % 5)};
    const double length = run_lengths_of_tests[seed % std::size(run_lengths_of_tests)];
    ASSERT_EQ(test::run_and_compare(*device, plan, test::make_runs_case(problem, n, length, seed), layout),
              std::nullopt)
        << "schedule seed " << seed << ", " << n << " items";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, HostileRuns,
    testing::Combine(testing::Values("lookback", "chained", "all_aggregates", "lookahead", "single_block", "cluster"),
                     testing::Values(Algorithm::unique, Algorithm::unique_by_key, Algorithm::run_length_encode,
                                     Algorithm::nontrivial_runs, Algorithm::inclusive_scan_by_key)),
    [](const auto& given) { return fmt::format("{}_{}", name(std::get<1>(given.param)), std::get<0>(given.param)); });

TEST(Runs, BadProblemsSayWhatToDo) {
  const auto message = [](const Problem& problem) { return test::message_of<UsageError>([&] { validate(problem); }); };
  EXPECT_EQ(message(runs_of_type(Algorithm::unique, plus, Type::i32)),
            "unique needs a predicate, but plus is an operator that combines items: use less, less_equal, greater, "
            "greater_equal, equal_to or not_equal_to");
  EXPECT_EQ(message(problem_of(Algorithm::unique, equal_to, Type::i32, Type::f32, {})),
            "unique counts items in the accumulator, which cannot be f32: use u64, or u32 for fewer than 2^32 items");
  EXPECT_EQ(message(problem_of(Algorithm::unique, equal_to, Type::i32, {}, Type::i64)),
            "unique copies items, so that results of type i64 cannot come from items of type i32: use i32 as output "
            "type");
  EXPECT_EQ(message(problem_of(Algorithm::nonzero, equal_to, Type::i32, Type::u64, Type::f64)),
            "nonzero writes indices in the output type, which cannot be f64: use u64, or u32 for fewer than 2^32 "
            "items");
  EXPECT_EQ(message(problem_of(Algorithm::run_length_encode, equal_to, Type::i32, Type::u32, Type::u64)),
            "run_length_encode counts in the type of the lengths: use u32 as output type");
  EXPECT_EQ(message(problem_of(Algorithm::nontrivial_runs, equal_to, Type::i32, Type::u64, Type::u32)),
            "nontrivial_runs counts in the type of the offsets and lengths: use u64 as output type");
  EXPECT_EQ(message(problem_of(Algorithm::nontrivial_runs, minus, Type::i32, {}, {})),
            "nontrivial_runs needs a predicate, but minus is an operator that combines items: use less, less_equal, "
            "greater, greater_equal, equal_to or not_equal_to");
  EXPECT_EQ(message(problem_of(Algorithm::run_length_encode, less, Type::c64, {}, {})),
            "operator less does not take c64: use a type that is not complex");
}

}  // namespace
}  // namespace upsweep
