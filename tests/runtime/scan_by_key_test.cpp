// Scans by key on the host device: types, operators, special keys and typed calls. runs_test.cpp has every strategy.
#include <cmath>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs.hpp"

namespace upsweep {
namespace {

using test::runs_of_type;

constexpr Algorithm scans_by_key[] = {Algorithm::inclusive_scan_by_key, Algorithm::exclusive_scan_by_key};

// Runs of 1 and 5 items on average, and one of all; in place, misaligned, with an initial value in memory.
void expect_scanned(const Problem& problem, const Config& config, std::uint64_t n) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(problem, config, nullptr);
  for (const double length : {1.0, 5.0, 1e18}) {
    const test::PortCase call = test::make_runs_case(problem, n, length, n);
    for (const test::Layout& layout :
         {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3, .initial_in_memory = true}}) {
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
          << to_string(problem) << " " << to_json(config) << ", runs of " << length;
    }
  }
}

TEST(ScanByKey, OfKeysAndValuesOfEveryWidthIsThatOfAPlainLoop) {
  for (const auto& [key, value] : {std::pair{Type::u8, Type::u64},
                                   {Type::i64, Type::i8},
                                   {Type::i16, Type::f32},
                                   {Type::u32, Type::c128},
                                   {Type::u64, Type::f16}}) {
    for (const Algorithm algorithm : scans_by_key) {
      for (const char* schedule : {"lookback", "lookahead", "sequential"}) {
        expect_scanned(runs_of_type(algorithm, plus, value, key), {.schedule = schedule, .values = {}}, 5003);
      }
    }
  }
}

TEST(ScanByKey, OfEveryOperatorKeepsTheOrderOfTheItems) {
  for (const Operator op : all_operators()) {
    for (const Algorithm algorithm : scans_by_key) {
      expect_scanned(runs_of_type(algorithm, op, Type::u32, Type::u32),
                     {.schedule = "lookback", .values = {{"threads_per_block", 64}}}, 3001);
    }
  }
}

TEST(ScanByKey, FoldsIntoAWiderTypeAndWritesANarrowerOne) {
  for (const Algorithm algorithm : scans_by_key) {
    Problem problem = runs_of_type(algorithm, plus, Type::i16, Type::u32);
    problem.accumulator = Type::i64;
    problem.output = Type::i32;
    expect_scanned(problem, {"lookback", {{"threads_per_block", 64}}}, 5003);
    expect_scanned(problem, {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}}}, 5003);
  }
}

class ScanByKeyCalls : public testing::Test {
 protected:
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<float> keys{1, 1, 0.0f, -0.0f, NAN, NAN, 1};
  const std::vector<std::int16_t> values{1, 2, 3, 4, 5, 6, 7};
  std::vector<std::int32_t> out = std::vector<std::int32_t>(8, 99);
};

TEST_F(ScanByKeyCalls, NansAreRunsOfTheirOwnAndZerosOfBothSignsAreOne) {
  context.inclusive_scan_by_key(keys.data(), values.data(), out.data(), 7);
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 3, 3, 7, 5, 6, 7, 99}));
}

TEST_F(ScanByKeyCalls, ExclusiveOnesBeginEachRunWithTheInitialValue) {
  context.exclusive_scan_by_key(keys.data(), values.data(), out.data(), 7);
  EXPECT_EQ(out, (std::vector<std::int32_t>{0, 1, 0, 3, 0, 0, 0, 99}));
  context.exclusive_scan_by_key(keys.data(), values.data(), out.data(), 7, plus, 10);
  EXPECT_EQ(out, (std::vector<std::int32_t>{10, 11, 10, 13, 10, 10, 10, 99}));
  const std::int32_t initial = -1;
  context.exclusive_scan_by_key(keys.data(), values.data(), out.data(), 7, maximum, in_memory(&initial));
  EXPECT_EQ(out, (std::vector<std::int32_t>{-1, 1, -1, 3, -1, -1, -1, 99}));
}

TEST_F(ScanByKeyCalls, OfNoItemsWriteNothing) {
  context.inclusive_scan_by_key(keys.data(), values.data(), out.data(), 0);
  context.exclusive_scan_by_key(keys.data(), values.data(), out.data(), 0, plus, 10);
  EXPECT_EQ(out, std::vector<std::int32_t>(8, 99));
}

TEST_F(ScanByKeyCalls, TakeThePlaceOfValuesAndNeverOfKeys) {
  std::vector<std::int32_t> numbers{1, 1, 1, 2, 2, 2, 2};
  const std::vector<std::int32_t> same_keys{5, 5, 6, 6, 6, 7, 7};
  context.inclusive_scan_by_key(same_keys.data(), numbers.data(), numbers.data(), 7);
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{1, 2, 1, 3, 5, 2, 4}));
  Context other({.device = "host", .database = "none", .record_wanted = false});
  const std::string message = test::message_of<UsageError>(
      [&] { other.inclusive_scan_by_key(numbers.data(), same_keys.data(), numbers.data(), 7); });
  EXPECT_THAT(message, testing::StartsWith("'keys' ("));
  EXPECT_THAT(message, testing::EndsWith("overlap: use separate memory"));
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{1, 2, 1, 3, 5, 2, 4})) << "nothing was written";
}

TEST(ScanByKey, BadProblemsSayWhatToDo) {
  const auto message = [](const Problem& problem) { return test::error_of<UsageError>([&] { validate(problem); }); };
  Problem problem = runs_of_type(Algorithm::exclusive_scan_by_key, plus, Type::f64, Type::u32);
  EXPECT_EQ(message(problem), "");
  EXPECT_EQ(to_string(problem), "exclusive_scan_by_key plus f64 by u32");
  problem.key.reset();
  EXPECT_EQ(message(problem), "exclusive_scan_by_key needs a type of keys or flags, such as u32");
  EXPECT_EQ(message(runs_of_type(Algorithm::inclusive_scan_by_key, less, Type::f64, Type::u32)),
            "less is a predicate, and inclusive_scan_by_key needs an operator that combines items: use plus, maximum "
            "or another one");
  EXPECT_EQ(message(runs_of_type(Algorithm::inclusive_scan_by_key, plus, Type::f64, Type::c64)),
            "keys of type c64 cannot be compared: use a type of numbers that are not complex");
}

}  // namespace
}  // namespace upsweep
