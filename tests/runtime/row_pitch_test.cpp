// Rows with gaps between them on the host device: schedules, pitches, gaps that keep their bytes, typed calls, plans
// and what is refused.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/rows.hpp"

namespace upsweep {
namespace {

using test::rows_of_type;

const test::Layout layouts_with_pitch[] = {{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}};

struct ScheduleWithPitch {
  const char* name;
  Problem problem;
  Config config;
};

void PrintTo(const ScheduleWithPitch& schedule, std::ostream* out) {
  *out << to_string(schedule.problem) << " " << to_json(schedule.config);
}

Problem pitched_rows(Algorithm algorithm, Operator op, Type type) {
  Problem problem = rows_of_type(algorithm, op, type);
  problem.row_pitch = 80;
  return problem;
}

// How many items the gaps behind rows have, in the input and the output: none, those that keep vectors whole, and
// others.
struct Gaps {
  std::uint64_t in, out;
};
constexpr Gaps gaps_of_rows[] = {{1, 1}, {16, 16}, {0, 5}, {16, 32}, {3, 0}, {200, 7}, {0, 0}};

class RowsWithPitch : public testing::TestWithParam<ScheduleWithPitch> {};

// One kernel with rows of all these lengths and pitches.
TEST_P(RowsWithPitch, GiveWhatAPlainLoopOverEachRowGivesAndGapsKeepTheirBytes) {
  const auto engine = test::host_engine();
  const Problem& problem = GetParam().problem;
  const Plan plan = engine->plan(problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile, items = std::max<std::uint64_t>(3 * tile, 600) + 11;
  const bool reduces = problem.algorithm == Algorithm::reduce;
  std::vector<std::uint64_t> lengths{1, 2, 7, 16, 33, 48, 100, 600, tile - 1, tile, tile + 1, 2 * tile + 3};
  if (reduces) lengths = {1, 2, 3, 5, 8, 16, 31, 32, 64, 100, 257, 1000};
  std::uint64_t seed = 0;
  const auto expect_right = [&](const Rows& shape) {
    ++seed;
    ASSERT_EQ(test::run_and_compare(engine->device(), plan, test::make_rows_case(problem, shape, seed),
                                    layouts_with_pitch[seed % 3]),
              std::nullopt)
        << shape.count() << " rows of " << shape.length() << " with pitches of " << shape.in_pitch() << " and "
        << shape.out_pitch() << ", seed " << seed;
  };
  for (const std::uint64_t length : lengths) {
    for (const Gaps& gaps : gaps_of_rows) {
      const std::uint64_t in = length + gaps.in, out = reduces ? in : length + gaps.out;
      ASSERT_NO_FATAL_FAILURE(expect_right(rows(items / length + 1, length).pitch(in, out)));
    }
  }
  for (const std::uint64_t count : {0, 1, 2}) {
    ASSERT_NO_FATAL_FAILURE(expect_right(rows(count, items).pitch(items + 1)));
    ASSERT_NO_FATAL_FAILURE(expect_right(rows(count, 0).pitch(9)));
  }
  constexpr std::uint64_t long_row = (std::uint64_t{1} << 15) + 5;  // longer than any tile, and ends within one
  ASSERT_NO_FATAL_FAILURE(expect_right(rows(3, long_row).pitch(long_row + 4)));
}

Config pitched_groups(int threads_per_row, int loads) {
  return {"row_groups",
          {{"threads_per_block", 64},
           {"threads_per_row", threads_per_row},
           {"loads_per_thread", loads},
           {"rows_per_group", 2}}};
}

const Problem affine_with_pitch = pitched_rows(Algorithm::exclusive_scan, affine, Type::u64);

INSTANTIATE_TEST_SUITE_P(
    All, RowsWithPitch,
    testing::Values(
        ScheduleWithPitch{"scan_sequential", affine_with_pitch, {"sequential", {}}},
        ScheduleWithPitch{"lookback", affine_with_pitch, {"lookback", {{"threads_per_block", 64}}}},
        ScheduleWithPitch{
            "row_blocks", affine_with_pitch, {"row_blocks", {{"threads_per_block", 64}, {"items_per_thread", 3}}}},
        ScheduleWithPitch{
            "row_blocks_of_vectors",
            pitched_rows(Algorithm::inclusive_scan, maximum, Type::i8),
            {"row_blocks",
             {{"threads_per_block", 64}, {"items_per_thread", 16}, {"load", "vectorized"}, {"store", "vectorized"}}}},
        ScheduleWithPitch{"groups", pitched_rows(Algorithm::exclusive_scan, affine, Type::u32), pitched_groups(4, 1)},
        ScheduleWithPitch{"groups_of_blocks", pitched_rows(Algorithm::inclusive_scan, plus, Type::i16),
                          pitched_groups(64, 1)},
        ScheduleWithPitch{"reduce_then_scan",
                          pitched_rows(Algorithm::inclusive_scan, affine, Type::u32),
                          {"reduce_then_scan", {{"threads_per_block", 64}, {"load", "direct"}}}},
        ScheduleWithPitch{"reduce_sequential", pitched_rows(Algorithm::reduce, affine, Type::u64), {"sequential", {}}},
        ScheduleWithPitch{"thread", pitched_rows(Algorithm::reduce, plus, Type::i8), pitched_groups(1, 2)},
        ScheduleWithPitch{"lanes", pitched_rows(Algorithm::reduce, plus, Type::f32), pitched_groups(4, 2)},
        ScheduleWithPitch{"lanes_in_order", pitched_rows(Algorithm::reduce, affine, Type::u32), pitched_groups(8, 1)},
        ScheduleWithPitch{
            "pieces",
            pitched_rows(Algorithm::reduce, plus, Type::i32),
            {"row_pieces", {{"threads_per_block", 32}, {"items_per_thread", 4}, {"tiles_per_piece", 2}}}}),
    [](const auto& given) { return given.param.name; });

TEST(RowPitch, IsRightUnderHostileSchedules) {
  for (const Config& config : {Config{"lookback", {{"threads_per_block", 64}, {"items_per_thread", 5}}},
                               Config{"row_blocks", {{"threads_per_block", 64}, {"items_per_thread", 2}}}}) {
    const auto device = test::two_multiprocessors();
    const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
    const Plan plan = engine->plan(affine_with_pitch, config, nullptr);
    const std::uint64_t lengths[] = {1, 5, 64, 129, 500};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      const std::uint64_t length = lengths[seed % 5];
      const Rows shape = rows(1 + 1500 / length, length).pitch(length + seed);
      ASSERT_EQ(test::run_and_compare(*device, plan, test::make_rows_case(affine_with_pitch, shape, seed),
                                      layouts_with_pitch[seed % 3]),
                std::nullopt)
          << to_json(config) << ", schedule seed " << seed << ", rows of " << length;
    }
  }
}

class RowPitchCalls : public testing::Test {
 protected:
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<std::int32_t> items{1, 2, -1, 3, 4, -2, 5, 6};  // of rows of 2 with a pitch of 3
  std::vector<std::int32_t> out = std::vector<std::int32_t>(9, 99);

  template <typename Call>
  static std::string message(const Call& call) {
    return test::message_of<UsageError>(call);
  }
};

TEST_F(RowPitchCalls, ScansAndReducesLeaveOutTheGaps) {
  context.reduce(items.data(), out.data(), rows(3, 2).pitch(3));
  EXPECT_EQ(out, (std::vector<std::int32_t>{3, 7, 11, 99, 99, 99, 99, 99, 99}));
  context.inclusive_scan(items.data(), out.data(), rows(3, 2).pitch(3, 2));
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 3, 3, 7, 5, 11, 99, 99, 99}));
  out.assign(9, 99);
  context.exclusive_scan(items.data(), out.data(), rows(3, 2).pitch(3), plus, 10);
  EXPECT_EQ(out, (std::vector<std::int32_t>{10, 11, 99, 10, 13, 99, 10, 15, 99}));
  std::vector<std::int32_t> own = items;
  context.inclusive_scan(own.data(), own.data(), rows(3, 2).pitch(3));
  EXPECT_EQ(own, (std::vector<std::int32_t>{1, 3, -1, 3, 7, -2, 5, 11}));
  context.inclusive_scan(own.data(), own.data(), rows(1, 2).pitch(5, 3));  // one row has no gap behind it
  EXPECT_EQ(own, (std::vector<std::int32_t>{1, 4, -1, 3, 7, -2, 5, 11}));
}

// The left half of a matrix to its right half.
TEST_F(RowPitchCalls, RowsMayLieInTheGapsOfOthers) {
  std::vector<std::int32_t> matrix{1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0};
  context.inclusive_scan(matrix.data(), matrix.data() + 2, rows(3, 2).pitch(4));
  EXPECT_EQ(matrix, (std::vector<std::int32_t>{1, 2, 1, 3, 3, 4, 3, 7, 5, 6, 5, 11}));
  context.inclusive_scan(matrix.data() + 2, matrix.data(), rows(3, 2).pitch(4));
  EXPECT_EQ(matrix, (std::vector<std::int32_t>{1, 4, 1, 3, 3, 10, 3, 7, 5, 16, 5, 11}));
}

TEST_F(RowPitchCalls, PlansTakeAnyPitchAndRowsWithoutGaps) {
  const Plan plan =
      context.plan(in_rows(make_problem(Algorithm::reduce, plus, Type::i32, Type::i32), rows(3, 2).pitch(3)));
  EXPECT_EQ(to_string(plan.problem()), "reduce plus i32, rows of 2 with a pitch of 3");
  const auto sums = [&](const Rows& shape) {
    out.assign(9, 99);
    plan.run(Arguments(shape).array("in", items.data()).array("out", out.data()));
    return std::vector<std::int32_t>(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(shape.count()) + 1);
  };
  EXPECT_EQ(sums(rows(3, 2).pitch(3)), (std::vector<std::int32_t>{3, 7, 11, 99}));
  EXPECT_EQ(sums(rows(2, 2).pitch(6)), (std::vector<std::int32_t>{3, 11, 99}));
  EXPECT_EQ(sums(rows(4, 2)), (std::vector<std::int32_t>{3, 2, 2, 11, 99}));
  const auto plan_of = [&](const Rows& shape) {
    return &context.plan(in_rows(make_problem(Algorithm::reduce, plus, Type::i32, Type::i32), shape)).state();
  };
  EXPECT_EQ(plan_of(rows(3, 2).pitch(5)), plan_of(rows(3, 2).pitch(3))) << "a pitch decides nothing";
  EXPECT_EQ(plan_of(rows(3, 2).pitch(2)), plan_of(rows(3, 2))) << "rows without gaps";
  EXPECT_EQ(plan_of(rows(1, 6).pitch(7)), plan_of(rows(1, 6))) << "one row has no gap behind it";
  EXPECT_NE(plan_of(rows(3, 2).pitch(3)), plan_of(rows(3, 2)));
}

TEST_F(RowPitchCalls, BadPitchesAreToldWhatToDo) {
  const std::int32_t* const in = items.data();
  EXPECT_EQ(message([&] { context.reduce(in, out.data(), rows(3, 2).pitch(1)); }),
            "a pitch of 1 is below the 2 items of a row: use a pitch of at least 2");
  EXPECT_EQ(message([&] { context.inclusive_scan(in, out.data(), rows(3, 2).pitch(3, 1)); }),
            "a pitch of 1 is below the 2 items of a row: use a pitch of at least 2");
  const std::uint64_t many = std::uint64_t{1} << 62;
  EXPECT_EQ(message([&] { context.reduce(in, out.data(), rows(4, 2).pitch(many)); }),
            "4 rows with a pitch of 4611686018427387904 items have 2^64 places or more: divide them among several "
            "calls");
  EXPECT_EQ(message([&] { context.inclusive_scan(in, out.data(), rows(4, 2).pitch(2, many)); }),
            "4 rows with a pitch of 4611686018427387904 items have 2^64 places or more: divide them among several "
            "calls");
  EXPECT_EQ(message([&] { context.reduce(in, out.data(), rows(3, 2).pitch(3, 2)); }),
            "the results of a reduce lie one behind the other: give the pitch of the input alone");
  EXPECT_THAT(message([&] { context.inclusive_scan(out.data(), out.data(), rows(3, 2).pitch(3, 2)); }),
              testing::EndsWith("overlap: use separate memory, or the same address and pitch for both"));
  EXPECT_THAT(message([&] { context.inclusive_scan(out.data(), out.data() + 1, rows(3, 2).pitch(3)); }),
              testing::EndsWith("overlap: use separate memory, or the same address for both"));
  const Problem flat = make_problem(Algorithm::reduce, plus, Type::i32, Type::i32);
  const Plan plan = context.plan(in_rows(flat, 3, 2)), of_pitch = context.plan(in_rows(flat, rows(3, 2).pitch(3)));
  const auto run = [&](const Plan& planned, const Rows& shape) {
    return message([&] { planned.run(Arguments(shape).array("in", in).array("out", out.data())); });
  };
  EXPECT_EQ(run(plan, rows(3, 2).pitch(3)),
            "the plan of reduce plus i32, rows of 2 takes no rows with gaps between them: make the plan of "
            "in_rows(problem, rows) with the pitch of the rows");
  EXPECT_EQ(run(of_pitch, rows(3, 2).pitch(1)),
            "a pitch of 1 is below the 2 items of a row: use a pitch of at least 2");
  EXPECT_EQ(out, std::vector<std::int32_t>(9, 99)) << "nothing was written";
}

}  // namespace
}  // namespace upsweep
