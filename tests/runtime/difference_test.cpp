// Adjacent differences on the host device: types, operators, hostile schedules, typed calls and what is refused.
// runs_test.cpp has every strategy.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/define.hpp>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/defined.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs.hpp"

namespace upsweep {
namespace {

Problem difference(Operator op, Type input, Type accumulator, Type output) {
  return problem_of(Algorithm::adjacent_difference, op, input, accumulator, output);
}

Problem difference(Operator op, Type type) {
  return difference(op, type, type, type);
}

// Operators that do not commute tell the order of their operands.
TEST(Difference, OfTypesAndOperatorsIsThatOfAPlainLoop) {
  const auto engine = test::host_engine();
  const Problem problems[] = {difference(minus, Type::i8),
                              difference(minus, Type::f16),
                              difference(minus, Type::u64),
                              difference(minus, Type::c64),
                              difference(minus, Type::c128),
                              difference(minus, Type::u8, Type::i32, Type::i64),
                              difference(minus, Type::bf16, Type::f32, Type::f64),
                              difference(minus, Type::i16, Type::c64, Type::c128),
                              difference(affine, Type::u32),
                              difference(last_nonzero, Type::f32),
                              difference(maximum, Type::i16)};
  for (const Problem& problem : problems) {
    const Plan plan = engine->plan(problem, {"independent_tiles", {{"threads_per_block", 64}}}, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (const std::uint64_t n : {std::uint64_t{1}, tile, tile + 1, 3 * tile + 5}) {
      for (const test::Layout& layout : {test::Layout{}, {.in_offset = 1, .out_offset = 3}}) {
        ASSERT_EQ(test::run_and_compare(engine->device(), plan, test::make_runs_case(problem, n, 1, n), layout),
                  std::nullopt)
            << to_string(problem) << ", " << n << " items";
      }
    }
  }
}

// Items and results of other sizes lie in other places of shared memory. The host device sees every access to it: what
// no barrier orders is an error.
TEST(Difference, IsThatOfAPlainLoopUnderHostileSchedules) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  const Problem widens = difference(minus, Type::u8, Type::u32, Type::u32), plain = difference(minus, Type::i32);
  for (const auto& [problem, access] :
       {std::pair{widens, "block_transpose"}, {widens, "warp_transpose"}, {plain, "warp_transpose"}}) {
    const Config config{"independent_tiles",
                        {{"threads_per_block", 96}, {"items_per_thread", 2}, {"load", access}, {"store", access}}};
    const Plan plan = engine->plan(problem, config, nullptr);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      const std::uint64_t n = seed * 37 % 900;
      const test::Layout layout{.in_offset = static_cast<int>(seed % 3)};
      ASSERT_EQ(test::run_and_compare(*device, plan, test::make_runs_case(problem, n, 1, seed), layout), std::nullopt)
          << "schedule seed " << seed << ", " << n << " items, " << access;
    }
  }
}

class DifferenceCalls : public testing::Test {
 protected:
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<std::int16_t> items{5, 3, 3, -7, 100};
};

TEST_F(DifferenceCalls, SubtractTheItemBefore) {
  std::vector<std::int32_t> out(6, 99);
  context.adjacent_difference(items.data(), out.data(), 5);
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, -2, 0, -10, 107, 99}));
  context.adjacent_difference(items.data(), out.data(), 5, plus);
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, 8, 6, -4, 93, 99}));
  std::vector<std::uint8_t> narrow{1, 2, 0}, wrapped(3);
  context.adjacent_difference(narrow.data(), wrapped.data(), 3);
  EXPECT_EQ(wrapped, (std::vector<std::uint8_t>{1, 1, 254}));
}

TEST_F(DifferenceCalls, OfFewItems) {
  std::vector<std::int32_t> out(2, 99);
  context.adjacent_difference(items.data(), out.data(), 0);
  EXPECT_EQ(out, (std::vector<std::int32_t>{99, 99}));
  context.adjacent_difference(items.data(), out.data(), 1, maximum);
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, 99}));
}

TEST_F(DifferenceCalls, UndoInclusiveSums) {
  std::vector<std::int64_t> sums(5), back(5);
  context.inclusive_scan(items.data(), sums.data(), 5);
  context.adjacent_difference(sums.data(), back.data(), 5);
  EXPECT_EQ(back, std::vector<std::int64_t>(items.begin(), items.end()));
}

// Another tile may read the item that a result would replace.
TEST_F(DifferenceCalls, AreNotMadeInPlace) {
  std::vector<std::int32_t> numbers{1, 2, 3};
  const std::string message =
      test::message_of<UsageError>([&] { context.adjacent_difference(numbers.data(), numbers.data(), 3); });
  EXPECT_THAT(message, testing::StartsWith("'in' ("));
  EXPECT_THAT(message, testing::EndsWith("overlap: use separate memory"));
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{1, 2, 3})) << "nothing was written";
}

// The operator is neither associative nor built in, or its type is none that fills vectors.
TEST_F(DifferenceCalls, TakeOperatorsOfTheProgram) {
  const Operator distance =
      define_operator({.name = "distance",
                       .type = Type::i32,
                       .text = "__device__ i32 distance(i32 a, i32 b) { return a < b ? b - a : a - b; }"});
  const std::vector<std::int32_t> numbers{5, 3, 10};
  std::vector<std::int32_t> out(3);
  context.adjacent_difference(numbers.data(), out.data(), 3, distance);
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, 2, 7}));

  std::vector<test::Map> maps(5000), composed(5000);
  for (std::uint32_t i = 0; i < 5000; ++i) maps[i] = {i * 7 + 1, i};
  context.plan(test::problem_of<test::Map>(Algorithm::adjacent_difference, 5000))
      .run(maps.data(), composed.data(), maps.size());
  EXPECT_EQ(composed[0], maps[0]);
  for (std::size_t i = 1; i < maps.size(); ++i) ASSERT_EQ(composed[i], test::Map::combine(maps[i], maps[i - 1])) << i;
}

TEST(Difference, BadProblemsSayWhatToDo) {
  const auto message = [](const Problem& problem) { return test::error_of<UsageError>([&] { validate(problem); }); };
  EXPECT_EQ(message(difference(minus, Type::f64)), "");
  EXPECT_EQ(to_string(difference(minus, Type::i16, Type::i32, Type::i64)),
            "adjacent_difference minus i16 in i32 to i64");
  EXPECT_EQ(message(difference(less, Type::i32)),
            "less is a predicate, and adjacent_difference needs an operator that combines items: use plus, maximum or "
            "another one");
  EXPECT_EQ(message(difference(minus, Type::f32, Type::i32, Type::i32)),
            "f32 values cannot be accumulated in i32: use f32 or f64 as accumulator");
  EXPECT_EQ(message(difference(affine, Type::f32)), "operator affine does not take f32: use u32 or u64");
  Problem dense = difference(minus, Type::i32);
  dense.density = Density::half;
  EXPECT_EQ(message(dense), "adjacent_difference has as many results for all data: leave out the density");
}

// Whatever groups items in any way.
TEST(Difference, OfItemsIsNoOperatorOfScansAndReduces) {
  for (const Algorithm algorithm :
       {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce, Algorithm::reduce_by_key,
        Algorithm::inclusive_scan_by_key, Algorithm::exclusive_scan_by_key}) {
    const Problem problem = problem_of(algorithm, minus, Type::i32, {}, {});
    EXPECT_EQ(test::message_of<UsageError>([&] { validate(problem); }),
              "minus is not associative, and " + std::string(name(algorithm)) +
                  " needs an operator that is: use plus, maximum or another one, or adjacent_difference for the "
                  "differences of neighbouring items");
  }
  for (const Algorithm algorithm : {Algorithm::select_if, Algorithm::unique}) {
    EXPECT_THROW(validate(problem_of(algorithm, minus, Type::i32, {}, {})), UsageError);
  }
}

}  // namespace
}  // namespace upsweep
