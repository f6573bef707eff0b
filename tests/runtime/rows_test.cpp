// Scans and reduces of rows on the host device: schedules, lengths, types, operators that do not commute, hostile
// schedules, typed calls and what is refused.
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

const test::Layout layouts_of_rows[] = {{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}};

// One kernel with rows of all these lengths; of each about `items` items, one row of all, and none.
void expect_right_rows(const Problem& problem, const Config& config, std::vector<std::uint64_t> lengths,
                       std::uint64_t items) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(problem, config, nullptr);
  std::vector<Rows> shapes{rows(0, 5), rows(3, 0), rows(1, 1), rows(1, items)};
  for (const std::uint64_t length : lengths) shapes.push_back(rows(items / length + 1, length));
  std::uint64_t seed = 0;
  for (const Rows& shape : shapes) {
    const test::PortCase call = test::make_rows_case(problem, shape, ++seed);
    ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layouts_of_rows[seed % 3]), std::nullopt)
        << to_string(problem) << " " << to_json(plan.config()) << ", " << shape.count() << " rows of " << shape.length()
        << ", seed " << seed;
  }
}

struct ScheduleOfRows {
  const char* name;
  Problem problem;
  Config config;
};

void PrintTo(const ScheduleOfRows& schedule, std::ostream* out) {
  *out << to_string(schedule.problem) << " " << to_json(schedule.config);
}

const auto of_schedule = [](const auto& given) { return given.param.name; };

Problem widening(Algorithm algorithm) {
  Problem problem = rows_of_type(algorithm, plus, Type::i16);
  problem.accumulator = Type::i64;
  problem.output = Type::i32;
  return problem;
}

// ---- scans

class RowScans : public testing::TestWithParam<ScheduleOfRows> {};

TEST_P(RowScans, GiveWhatAPlainLoopOverEachRowGives) {
  const auto engine = test::host_engine();
  const std::uint64_t tile =
      engine->plan(GetParam().problem, GetParam().config, nullptr).source().launch.items_per_tile;
  expect_right_rows(GetParam().problem, GetParam().config,
                    {1, 2, 3, 7, 8, 31, 32, 33, 100, 127, 128, 129, 300, std::max<std::uint64_t>(tile, 2) - 1, tile,
                     tile + 1, 2 * tile, 2 * tile + 3},
                    std::max<std::uint64_t>(4 * tile, 700) + 11);
}

const Problem sum_of_rows = rows_of_type(Algorithm::inclusive_scan, plus, Type::i32);
const Problem affine_rows = rows_of_type(Algorithm::exclusive_scan, affine, Type::u64);
const Config small_lookback{"lookback", {{"threads_per_block", 64}, {"items_per_thread", 5}}};

Config groups(int threads_per_block, int threads_per_row, int loads, int rows_per_group) {
  return {"row_groups",
          {{"threads_per_block", threads_per_block},
           {"threads_per_row", threads_per_row},
           {"loads_per_thread", loads},
           {"rows_per_group", rows_per_group}}};
}

INSTANTIATE_TEST_SUITE_P(
    All, RowScans,
    testing::Values(
        ScheduleOfRows{"sequential", affine_rows, {"sequential", {}}},
        ScheduleOfRows{"single_block", rows_of_type(Algorithm::exclusive_scan, plus, Type::f32), {"single_block", {}}},
        ScheduleOfRows{"lookback", affine_rows, small_lookback},
        ScheduleOfRows{"lookback_widening", widening(Algorithm::inclusive_scan), small_lookback},
        ScheduleOfRows{"row_blocks", affine_rows, {"row_blocks", {{"threads_per_block", 64}, {"items_per_thread", 3}}}},
        ScheduleOfRows{"row_blocks_of_bytes",
                       rows_of_type(Algorithm::inclusive_scan, maximum, Type::i8),
                       {"row_blocks", {{"threads_per_block", 64}, {"load", "vectorized"}, {"store", "vectorized"}}}},
        ScheduleOfRows{"thread_of_bytes", rows_of_type(Algorithm::exclusive_scan, maximum, Type::u8),
                       groups(32, 1, 1, 3)},
        ScheduleOfRows{"lanes", rows_of_type(Algorithm::inclusive_scan, plus, Type::f32), groups(64, 4, 2, 2)},
        ScheduleOfRows{"lanes_in_order", affine_rows, groups(64, 8, 1, 2)},
        ScheduleOfRows{"warp_widening", widening(Algorithm::exclusive_scan), groups(64, 32, 1, 1)},
        ScheduleOfRows{"block_in_order", affine_rows, groups(64, 64, 1, 2)},
        ScheduleOfRows{"block", rows_of_type(Algorithm::inclusive_scan, affine, Type::u32), groups(64, 64, 2, 1)},
        ScheduleOfRows{"all_aggregates", sum_of_rows, {"all_aggregates", {{"threads_per_block", 64}}}},
        ScheduleOfRows{"reduce_then_scan", affine_rows, {"reduce_then_scan", {{"threads_per_block", 64}}}},
        ScheduleOfRows{"lookahead",
                       rows_of_type(Algorithm::inclusive_scan, affine, Type::u32),
                       {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 3}}}},
        // 48 items per thread: their row begins have no room in one word.
        ScheduleOfRows{"lookahead_bytes",
                       rows_of_type(Algorithm::exclusive_scan, maximum, Type::u8),
                       {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 3}}}},
        ScheduleOfRows{"lookahead_byte_sums",
                       rows_of_type(Algorithm::inclusive_scan, plus, Type::i8),
                       {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 3}}}},
        ScheduleOfRows{"lookahead_byte_sums_before",
                       rows_of_type(Algorithm::exclusive_scan, plus, Type::u8),
                       {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}}}}),
    of_schedule);

TEST(Rows, ScansReadTheInitialValueFromMemory) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(affine_rows, small_lookback, nullptr);
  const test::PortCase call = test::make_rows_case(affine_rows, rows(41, 23), 7);
  EXPECT_EQ(test::run_and_compare(engine->device(), plan, call, {.initial_in_memory = true}), std::nullopt);
}

TEST(Rows, ScansAreRightUnderHostileSchedules) {
  for (const Config& config : {small_lookback, Config{"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}}},
                               Config{"row_blocks", {{"threads_per_block", 64}, {"items_per_thread", 2}}},
                               groups(64, 8, 1, 2), groups(64, 64, 1, 2)}) {
    const auto device = test::two_multiprocessors();
    const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
    const Plan plan = engine->plan(affine_rows, config, nullptr);
    const std::uint64_t lengths[] = {1, 5, 64, 129, 500, 3000};
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      const Rows shape = rows(1 + 3000 / lengths[seed % 6], lengths[seed % 6]);
      ASSERT_EQ(test::run_and_compare(*device, plan, test::make_rows_case(affine_rows, shape, seed),
                                      layouts_of_rows[seed % 3]),
                std::nullopt)
          << to_json(config) << ", schedule seed " << seed << ", rows of " << shape.length();
    }
  }
}

// ---- reduces

class RowReduces : public testing::TestWithParam<ScheduleOfRows> {};

TEST_P(RowReduces, GiveWhatAPlainLoopOverEachRowGives) {
  expect_right_rows(GetParam().problem, GetParam().config,
                    {1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 64, 100, 255, 256, 257, 1000}, 3000);
}

Config with_packing(Config config) {
  config.values.insert_or_assign("packing", "packed_16x2");
  return config;
}

// Rows of 1000 have several pieces of 128 to 512 items.
Config pieces(int threads_per_block, int items_per_thread, int tiles_per_piece) {
  return {"row_pieces",
          {{"threads_per_block", threads_per_block},
           {"items_per_thread", items_per_thread},
           {"tiles_per_piece", tiles_per_piece}}};
}

INSTANTIATE_TEST_SUITE_P(
    All, RowReduces,
    testing::Values(
        ScheduleOfRows{"sequential", rows_of_type(Algorithm::reduce, affine, Type::u64), {"sequential", {}}},
        ScheduleOfRows{"thread", rows_of_type(Algorithm::reduce, plus, Type::i32), groups(32, 1, 2, 3)},
        ScheduleOfRows{"thread_of_byte_sums", rows_of_type(Algorithm::reduce, plus, Type::i8), groups(64, 1, 4, 1)},
        ScheduleOfRows{"lanes_of_halves", rows_of_type(Algorithm::reduce, maximum, Type::i16), groups(64, 4, 1, 4)},
        ScheduleOfRows{"lanes_of_packed_halves", rows_of_type(Algorithm::reduce, minimum, Type::u16),
                       with_packing(groups(64, 4, 1, 4))},
        ScheduleOfRows{"lanes_of_packed_bytes", rows_of_type(Algorithm::reduce, maximum, Type::i8),
                       with_packing(groups(64, 4, 2, 2))},
        ScheduleOfRows{"lanes", rows_of_type(Algorithm::reduce, plus, Type::f32), groups(64, 4, 2, 2)},
        ScheduleOfRows{"lanes_in_order", rows_of_type(Algorithm::reduce, affine, Type::u32), groups(64, 8, 2, 2)},
        ScheduleOfRows{"warp_of_bytes", rows_of_type(Algorithm::reduce, maximum, Type::u8), groups(64, 32, 1, 1)},
        ScheduleOfRows{"warp_widening", widening(Algorithm::reduce), groups(64, 32, 1, 2)},
        ScheduleOfRows{"block", rows_of_type(Algorithm::reduce, plus, Type::c128), groups(64, 64, 2, 2)},
        ScheduleOfRows{"pieces", rows_of_type(Algorithm::reduce, plus, Type::i32), pieces(32, 4, 2)},
        ScheduleOfRows{"pieces_in_order", rows_of_type(Algorithm::reduce, affine, Type::u64), pieces(64, 2, 1)},
        ScheduleOfRows{"pieces_of_bytes", rows_of_type(Algorithm::reduce, maximum, Type::i8), pieces(32, 16, 1)},
        ScheduleOfRows{"block_in_order", rows_of_type(Algorithm::reduce, affine, Type::u64), groups(64, 64, 2, 1)}),
    of_schedule);

TEST(Rows, ReducesAreRightUnderHostileSchedules) {
  const Problem problem = rows_of_type(Algorithm::reduce, affine, Type::u32);
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  for (const Config& config : {groups(64, 64, 1, 2), groups(64, 4, 1, 2), pieces(64, 1, 1)}) {
    const Plan plan = engine->plan(problem, config, nullptr);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      const std::uint64_t length = seed * (seed % 3 == 0 ? 5 : 67);  // of one piece, or of several
      const Rows shape = rows(1 + 2000 / length, length);
      ASSERT_EQ(test::run_and_compare(*device, plan, test::make_rows_case(problem, shape, seed)), std::nullopt)
          << to_json(config) << ", schedule seed " << seed << ", rows of " << shape.length();
    }
  }
}

// Blocks that fold several tiles of short rows one after the other, and the ends of the array within vectors.
TEST(Rows, ShortRowsInTilesAreRightUnderHostileSchedules) {
  Config config = groups(32, 4, 1, 2);
  config.values.insert_or_assign("blocks_per_multiprocessor", 1);
  for (const Problem& problem :
       {rows_of_type(Algorithm::reduce, plus, Type::u8), rows_of_type(Algorithm::reduce, affine, Type::u32)}) {
    const auto device = test::two_multiprocessors();
    const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
    const Plan plan = engine->plan(problem, config, nullptr);
    const std::uint64_t lengths[] = {1, 3, 4, 5, 17, 20, 47, 61};
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      const std::uint64_t length = lengths[seed % 8];
      const Rows shape = rows(1 + 7000 / size_of(problem.input) / length, length);
      ASSERT_EQ(
          test::run_and_compare(*device, plan, test::make_rows_case(problem, shape, seed), layouts_of_rows[seed % 3]),
          std::nullopt)
          << to_string(problem) << ", schedule seed " << seed << ", rows of " << length;
    }
  }
}

// ---- choices

TEST(Rows, OfAllLengthsHaveOneKernelAndThoseOfAClassOnePlan) {
  const auto engine = test::host_engine();
  const auto plan = [&](std::uint64_t length) {
    Problem problem = rows_of_type(Algorithm::inclusive_scan, plus, Type::i32, length);
    problem.size = 4096;
    return engine->plan(problem, nullptr);
  };
  EXPECT_EQ(&plan(1000).state(), &plan(1024).state());
  EXPECT_NE(&plan(1000).state(), &plan(4).state());
  EXPECT_EQ(plan(100).source().key, plan(4).source().key);
  const Problem flat = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 4096);
  EXPECT_NE(plan(1000).source().key, engine->plan(flat, nullptr).source().key);
}

// What comes first decides nothing: neither for rows nor for other shapes.
TEST(Rows, PlansDoNotDependOnTheFirstCall) {
  const auto config = [](const Problem& first, const Problem& second) {
    const auto engine = test::host_engine();
    static_cast<void>(engine->plan(first, nullptr));
    return engine->plan(second, nullptr).config();
  };
  const Problem sums = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  for (const auto& [one, other] : {std::pair{in_rows(sums, 300, 45), in_rows(sums, 400, 34)},
                                   {in_segments(sums, 300, 13500), in_segments(sums, 400, 13600)}}) {
    EXPECT_EQ(config(one, other), config(other, other)) << to_string(other);
    EXPECT_EQ(config(one, other), config(other, one)) << to_string(other);
  }
}

// ---- typed calls

class RowCallsOf : public testing::Test {
 protected:
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<std::int16_t> items{1, 2, 3, 4, 5, 6};
  std::vector<std::int32_t> out = std::vector<std::int32_t>(7, 99);
};

TEST_F(RowCallsOf, InclusiveScansBeginAnewWithEachRow) {
  context.inclusive_scan(items.data(), out.data(), rows(2, 3));
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 3, 6, 4, 9, 15, 99}));
  context.inclusive_scan(items.data(), out.data(), rows(3, 2), multiplies);
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 2, 3, 12, 5, 30, 99}));
  std::vector<std::int32_t> numbers{1, 2, 3, 4};
  context.inclusive_scan(numbers.data(), numbers.data(), rows(2, 2));
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{1, 3, 3, 7}));
}

TEST_F(RowCallsOf, ExclusiveScansBeginEachRowWithTheInitialValue) {
  context.exclusive_scan(items.data(), out.data(), rows(2, 3));
  EXPECT_EQ(out, (std::vector<std::int32_t>{0, 1, 3, 0, 4, 9, 99}));
  context.exclusive_scan(items.data(), out.data(), rows(3, 2), plus, 10);
  EXPECT_EQ(out, (std::vector<std::int32_t>{10, 11, 10, 13, 10, 15, 99}));
  const std::int32_t initial = -1;
  context.exclusive_scan(items.data(), out.data(), rows(1, 6), maximum, in_memory(&initial));
  EXPECT_EQ(out, (std::vector<std::int32_t>{-1, 1, 2, 3, 4, 5, 99}));
}

TEST_F(RowCallsOf, ReducesWriteAResultForEachRow) {
  context.reduce(items.data(), out.data(), rows(2, 3));
  EXPECT_EQ(out, (std::vector<std::int32_t>{6, 15, 99, 99, 99, 99, 99}));
  context.reduce(items.data(), out.data(), rows(3, 2), plus, 100);
  EXPECT_EQ(out, (std::vector<std::int32_t>{103, 107, 111, 99, 99, 99, 99}));
  const std::int32_t initial = 4;
  context.reduce(items.data(), out.data(), rows(6, 1), maximum, in_memory(&initial));
  EXPECT_EQ(out, (std::vector<std::int32_t>{4, 4, 4, 4, 5, 6, 99}));
}

TEST_F(RowCallsOf, EmptyRowsGiveTheInitialValueAndNoRowsNothing) {
  const std::int16_t* const none = nullptr;
  context.reduce(none, out.data(), rows(2, 0), plus, 5);
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, 5, 99, 99, 99, 99, 99}));
  context.reduce(none, static_cast<std::int32_t*>(nullptr), rows(0, 3));
  context.inclusive_scan(none, static_cast<std::int32_t*>(nullptr), rows(3, 0));
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, 5, 99, 99, 99, 99, 99}));
}

TEST_F(RowCallsOf, AreCallsOfAPlanToo) {
  const Plan plan = context.plan(in_rows(make_problem(Algorithm::reduce, plus, Type::i16, Type::i32), 2, 3));
  const auto call = [&](const Rows& shape) {
    return Arguments(shape).array("in", items.data()).array("out", out.data());
  };
  plan.prepare(call(rows(2, 3)));
  plan.run(call(rows(1, 4)).scalar("initial", Scalar::of(std::int32_t{7})));
  plan.run(call(rows(1, 4)).scalar("initial", Scalar::of(std::int32_t{7})));
  EXPECT_EQ(out, (std::vector<std::int32_t>{17, 99, 99, 99, 99, 99, 99}));
}

TEST_F(RowCallsOf, BadCallsSayWhatToDo) {
  const auto message = [](const auto& call) { return test::message_of<UsageError>(call); };
  const std::uint64_t many = std::uint64_t{1} << 40;
  EXPECT_EQ(message([&] { context.reduce(items.data(), out.data(), rows(many, many)); }),
            "1099511627776 rows of 1099511627776 items are 2^64 items or more: divide them among several calls");
  EXPECT_THAT(message([&] { context.reduce(static_cast<std::int16_t*>(nullptr), out.data(), rows(2, 3)); }),
              testing::StartsWith("'in' is null: "));
  EXPECT_THAT(message([&] { context.reduce(items.data(), static_cast<std::int32_t*>(nullptr), rows(2, 0)); }),
              testing::StartsWith("'out' is null: "));
  EXPECT_THAT(message([&] { context.reduce(out.data(), out.data(), rows(2, 3)); }),
              testing::EndsWith("overlap: use separate memory"))
      << "the result of the second row would take the place of an item of the first";
  const Plan of_rows = context.plan(in_rows(make_problem(Algorithm::reduce, plus, Type::i16, Type::i32), 2, 3));
  const Plan flat = context.plan(make_problem(Algorithm::reduce, plus, Type::i16, Type::i32, 6));
  EXPECT_EQ(message([&] { of_rows.run(items.data(), out.data(), 6); }),
            "the plan of reduce plus i16 in i32, rows of 3 needs rows: pass Arguments(rows(count, length))");
  EXPECT_EQ(message([&] { of_rows.run(Arguments(6).array("in", items.data()).array("out", out.data())); }),
            "the plan of reduce plus i16 in i32, rows of 3 needs rows: pass Arguments(rows(count, length))");
  EXPECT_EQ(message([&] { flat.run(Arguments(rows(2, 3)).array("in", items.data()).array("out", out.data())); }),
            "the plan of reduce plus i16 in i32 takes no rows: pass Arguments(n), or make the plan of in_rows(problem, "
            "count, length)");
  EXPECT_EQ(out, std::vector<std::int32_t>(7, 99)) << "nothing was written";
}

}  // namespace
}  // namespace upsweep
