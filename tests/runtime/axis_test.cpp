// Scans and reduces along an axis on the host device: schedules, shapes, types, operators that do not commute, hostile
// schedules, and room in the workspace.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>

#include "generator/algorithm.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/runtime/hostile_axis.hpp"
#include "tests/support/axis.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep {
namespace {

using test::axis_of_type;

// Columns that are short and long, few and many, of one tile and of several, in one part and in many; and none.
const Axis shapes_of_axes[] = {axis(1, 1, 2),     axis(1, 300, 3),  axis(1, 65, 8),  axis(1, 129, 16), axis(2, 64, 4),
                               axis(3, 63, 7),    axis(1, 257, 37), axis(5, 33, 12), axis(40, 3, 5),   axis(1, 4, 700),
                               axis(1, 17, 1025), axis(2, 500, 2),  axis(9, 2, 128), axis(1, 1000, 1), axis(70, 16, 1),
                               axis(1, 1, 3000),  axis(0, 5, 3),    axis(3, 0, 4),   axis(2, 7, 0),    axis(3, 100, 24),
                               axis(1, 1537, 4),  axis(4, 128, 32)};

struct ScheduleOfAxis {
  const char* name;
  Problem problem;
  Config config;
};

void PrintTo(const ScheduleOfAxis& schedule, std::ostream* out) {
  *out << to_string(schedule.problem) << " " << to_json(schedule.config);
}

const auto of_axis_schedule = [](const auto& given) { return given.param.name; };

Problem widening_axis(Algorithm algorithm) {
  Problem problem = axis_of_type(algorithm, plus, Type::i16);
  problem.accumulator = Type::i64;
  problem.output = Type::i32;
  return problem;
}

class AxisSchedules : public testing::TestWithParam<ScheduleOfAxis> {};

TEST_P(AxisSchedules, GiveWhatAPlainLoopOverEachColumnGives) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  std::uint64_t seed = 0;
  for (const Axis& shape : shapes_of_axes) {
    const test::PortCase call = test::make_axis_case(plan.problem(), shape, ++seed);
    for (const test::Layout& layout : {test::layouts_of_axes[seed % 3], test::Layout{.out_offset = 1},
                                       test::Layout{.in_offset = 1, .out_offset = 1}}) {
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
          << shape.outer() << " x " << shape.length() << " x " << shape.inner() << ", seed " << seed;
    }
  }
}

Config axis_columns(int columns_per_thread, int items_per_thread) {
  return {
      "axis_columns",
      {{"threads_per_block", 64}, {"columns_per_thread", columns_per_thread}, {"items_per_thread", items_per_thread}}};
}

Config axis_blocks(int columns_per_thread, int items_per_thread, int panel_width, int threads_per_block) {
  return {"axis_blocks",
          {{"threads_per_block", threads_per_block},
           {"columns_per_thread", columns_per_thread},
           {"items_per_thread", items_per_thread},
           {"panel_width", panel_width}}};
}

Config axis_panels(int columns_per_thread, int rows_per_thread, int panel_width, int contiguous_columns) {
  return {"axis_panels",
          {{"threads_per_block", 64},
           {"columns_per_thread", columns_per_thread},
           {"items_per_thread", 2},
           {"rows_per_thread", rows_per_thread},
           {"panel_width", panel_width},
           {"contiguous_columns", contiguous_columns},
           {"states_per_lane", 2},
           {"minimum_blocks", 1}}};
}

Config axis_lookahead(int columns_per_thread, int vectors_per_thread, int reducer_warps, int stages,
                      int panel_columns) {
  return {"axis_lookahead",
          {{"worker_warps", 2},
           {"exchange_warps", panel_columns / 32},
           {"columns_per_thread", columns_per_thread},
           {"items_per_thread", 2},
           {"vectors_per_thread", vectors_per_thread},
           {"panel_columns", panel_columns},
           {"reducer_warps", reducer_warps},
           {"stages", stages},
           {"tiles_per_span", vectors_per_thread == 2 ? 1 : 4},
           {"states_per_lane", 2}}};
}

Config axis_pieces(int columns_per_thread, int items_per_thread, int panel_width, int rows_per_thread) {
  return {"axis_pieces",
          {{"threads_per_block", 64},
           {"columns_per_thread", columns_per_thread},
           {"items_per_thread", items_per_thread},
           {"panel_width", panel_width},
           {"rows_per_thread", rows_per_thread}}};
}

Config axis_shares(int columns_per_thread, int items_per_thread, int panel_width, int threads_per_block) {
  return {"axis_shares",
          {{"threads_per_block", threads_per_block},
           {"columns_per_thread", columns_per_thread},
           {"items_per_thread", items_per_thread},
           {"panel_width", panel_width},
           {"stages", 2},
           {"stage_kib", 1}}};
}

// A warp copies vectors of 16 bytes.
Config filled_by_copies(Config config) {
  config.values["fill"] = "async";
  return config;
}

Config split(Config config) {
  config.values["descriptor"] = "split";
  return config;
}

// Each block has several panels.
Config in_few_blocks(Config config) {
  config.values["blocks_per_multiprocessor"] = 1;
  return config;
}

// A tile looks at one tile before it at a time.
Config looking_at_one(Config config) {
  config.values["states_per_lane"] = 1;
  return config;
}

Config through_registers(Config config) {
  config.values["copies"] = "loads";
  return config;
}

const Problem affine_axis = axis_of_type(Algorithm::exclusive_scan, affine, Type::u32);

INSTANTIATE_TEST_SUITE_P(
    All, AxisSchedules,
    testing::Values(
        ScheduleOfAxis{"sequential", affine_axis, {"sequential", {}}},
        ScheduleOfAxis{"columns", affine_axis, axis_columns(4, 2)},
        ScheduleOfAxis{"columns_widening", widening_axis(Algorithm::inclusive_scan), axis_columns(8, 4)},
        ScheduleOfAxis{"blocks", affine_axis, axis_blocks(1, 2, 8, 64)},
        ScheduleOfAxis{"blocks_of_vectors", axis_of_type(Algorithm::inclusive_scan, affine, Type::u32),
                       axis_blocks(4, 1, 32, 96)},
        ScheduleOfAxis{"blocks_widening", widening_axis(Algorithm::exclusive_scan), axis_blocks(2, 4, 4, 128)},
        ScheduleOfAxis{"blocks_of_single_columns", affine_axis, axis_blocks(1, 2, 1, 64)},
        ScheduleOfAxis{"panels", affine_axis, axis_panels(1, 3, 8, 0)},
        ScheduleOfAxis{"panels_of_single_columns", affine_axis, axis_panels(1, 3, 1, 0)},
        ScheduleOfAxis{"panels_of_vectors", axis_of_type(Algorithm::inclusive_scan, affine, Type::u32),
                       axis_panels(4, 1, 4, 0)},
        ScheduleOfAxis{"panels_of_whole_rows", affine_axis, axis_panels(1, 3, 8, 16)},
        ScheduleOfAxis{"panels_of_bytes", axis_of_type(Algorithm::exclusive_scan, maximum, Type::i8),
                       split(axis_panels(4, 3, 16, 8))},
        ScheduleOfAxis{"panels_widening", widening_axis(Algorithm::exclusive_scan), axis_panels(2, 3, 8, 4)},
        ScheduleOfAxis{"panels_of_16_bytes", axis_of_type(Algorithm::inclusive_scan, plus, Type::c128),
                       through_registers(axis_panels(1, 5, 4, 4))},
        ScheduleOfAxis{"lookahead", affine_axis, axis_lookahead(1, 1, 2, 3, 32)},
        ScheduleOfAxis{"lookahead_of_vectors", axis_of_type(Algorithm::inclusive_scan, affine, Type::u32),
                       split(axis_lookahead(4, 2, 1, 4, 64))},
        ScheduleOfAxis{"lookahead_of_bytes", axis_of_type(Algorithm::exclusive_scan, maximum, Type::i8),
                       axis_lookahead(4, 1, 4, 2, 32)},
        ScheduleOfAxis{"lookahead_of_16_bytes", axis_of_type(Algorithm::inclusive_scan, plus, Type::c128),
                       axis_lookahead(1, 1, 2, 3, 32)},
        ScheduleOfAxis{"reduce_sequential", axis_of_type(Algorithm::reduce, affine, Type::u64), {"sequential", {}}},
        ScheduleOfAxis{"columns_of_sums", axis_of_type(Algorithm::reduce, plus, Type::i32), axis_columns(4, 2)},
        ScheduleOfAxis{"columns_in_order", axis_of_type(Algorithm::reduce, affine, Type::u64), axis_columns(2, 4)},
        ScheduleOfAxis{"columns_of_bytes", widening_axis(Algorithm::reduce), axis_columns(8, 1)},
        ScheduleOfAxis{"sums_of_single_columns", axis_of_type(Algorithm::reduce, affine, Type::u32),
                       axis_columns(1, 2)},
        ScheduleOfAxis{"blocks_of_sums", axis_of_type(Algorithm::reduce, plus, Type::i32), axis_blocks(4, 2, 4, 128)},
        ScheduleOfAxis{"blocks_in_order", axis_of_type(Algorithm::reduce, affine, Type::u64), axis_blocks(2, 2, 8, 96)},
        ScheduleOfAxis{"blocks_of_bytes", widening_axis(Algorithm::reduce), axis_blocks(8, 4, 64, 64)},
        ScheduleOfAxis{"blocks_of_single_vectors", axis_of_type(Algorithm::reduce, affine, Type::u32),
                       axis_blocks(4, 1, 1, 64)},
        ScheduleOfAxis{"pieces_of_single_columns", axis_of_type(Algorithm::reduce, affine, Type::u32),
                       axis_pieces(1, 2, 1, 8)},
        ScheduleOfAxis{"shares_of_single_columns", axis_of_type(Algorithm::reduce, affine, Type::u32),
                       axis_shares(1, 2, 1, 96)},
        ScheduleOfAxis{"pieces", axis_of_type(Algorithm::reduce, plus, Type::i32), axis_pieces(4, 2, 4, 8)},
        ScheduleOfAxis{"pieces_in_order", axis_of_type(Algorithm::reduce, affine, Type::u64), axis_pieces(2, 2, 8, 8)},
        ScheduleOfAxis{"pieces_widening", widening_axis(Algorithm::reduce), axis_pieces(8, 4, 16, 8)},
        ScheduleOfAxis{"pieces_of_bytes", axis_of_type(Algorithm::reduce, maximum, Type::u8),
                       axis_pieces(16, 1, 32, 8)},
        ScheduleOfAxis{"shares", axis_of_type(Algorithm::reduce, plus, Type::i32), axis_shares(1, 2, 16, 96)},
        ScheduleOfAxis{"shares_in_order", axis_of_type(Algorithm::reduce, affine, Type::u64),
                       filled_by_copies(axis_shares(2, 6, 8, 64))},
        ScheduleOfAxis{"shares_widening", widening_axis(Algorithm::reduce), axis_shares(4, 1, 32, 96)},
        ScheduleOfAxis{"shares_of_bytes", axis_of_type(Algorithm::reduce, maximum, Type::u8),
                       filled_by_copies(axis_shares(16, 8, 4, 64))}),
    of_axis_schedule);

const Problem affine_folds = axis_of_type(Algorithm::reduce, affine, Type::u32);

TEST(Axis, IsRightUnderHostileSchedules) {
  const Problem wide = axis_of_type(Algorithm::inclusive_scan, affine, Type::u64);
  const std::vector<Axis> shapes = {axis(1, 400, 3), axis(2, 150, 9), axis(1, 60, 64), axis(3, 20, 16),
                                    axis(1, 700, 2)};
  for (const auto& [problem, config] : {std::pair{affine_axis, axis_panels(1, 3, 4, 4)},
                                        {affine_axis, looking_at_one(axis_panels(1, 1, 64, 0))},
                                        {wide, split(axis_panels(2, 1, 8, 0))},
                                        {affine_axis, axis_lookahead(1, 1, 2, 3, 32)},
                                        {wide, looking_at_one(axis_lookahead(2, 1, 1, 4, 32))},
                                        {affine_axis, axis_blocks(1, 1, 4, 64)},
                                        {affine_folds, in_few_blocks(axis_blocks(1, 1, 4, 64))},
                                        {affine_folds, axis_pieces(4, 1, 4, 8)},
                                        {affine_folds, axis_shares(1, 1, 4, 96)},
                                        {affine_folds, filled_by_copies(axis_shares(4, 1, 4, 96))}}) {
    test::expect_right_under_hostile_schedules(test::two_multiprocessors(), problem, config, shapes, 10);
  }
}

// Of short axes, blocks take shares one after the other where there are 16 tiles for each block or more.
TEST(Axis, ManySharesAreRightUnderHostileSchedules) {
  const std::vector<Axis> shapes = {axis(4000, 8, 1), axis(40, 300, 2), axis(700, 9, 3), axis(400, 7, 11),
                                    axis(1, 3000, 5)};
  for (const auto& [problem, config] :
       {std::pair{affine_folds, axis_shares(1, 1, 4, 96)},
        {axis_of_type(Algorithm::reduce, plus, Type::i32), axis_shares(2, 1, 4, 96)},
        {axis_of_type(Algorithm::reduce, affine, Type::u64), filled_by_copies(axis_shares(1, 1, 4, 96))}}) {
    test::expect_right_under_hostile_schedules(test::two_multiprocessors(), problem, config, shapes, 10);
  }
}

// Where more than 16 shares have rows of an axis, some fold those of others.
TEST(Axis, ManySharesOfALongAxisAreFoldedInGroups) {
  const std::vector<Axis> shapes = {axis(1, 20'011, 1), axis(2, 7000, 2), axis(1, 5000, 5), axis(3, 4000, 1)};
  test::expect_right_under_hostile_schedules(test::device_of_multiprocessors(37), affine_folds,
                                             axis_shares(1, 1, 4, 96), shapes, 8);
}

// The epochs of tags come round after 2^30 launches: a share that publishes nothing clears what an earlier one has
// published.
TEST(Axis, SharesThatPublishNothingClearTheirTags) {
  const auto engine = test::host_engine(test::two_multiprocessors());
  const Plan plan = engine->plan(axis_of_type(Algorithm::reduce, plus, Type::i32), axis_shares(1, 1, 4, 96), nullptr);
  const std::uint64_t columns = 3, rows = 1216, n = 2 * rows * columns;  // shares begin at multiples of 32 rows
  const std::vector<std::int32_t> in(n, 1);
  std::vector<std::int32_t> out(2 * columns);
  runtime::Buffer memory(engine->device(), plan.workspace_bytes(n));
  const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
  const auto tags_of_second_share = [&](const Axis& shape) {
    plan.run(Arguments(shape).array("in", in.data()).array("out", out.data()), nullptr, workspace);
    std::vector<std::uint64_t> tags(columns);
    std::memcpy(tags.data(), static_cast<char*>(memory.data()) + WorkspaceRule::header_bytes + columns * 8,
                8 * columns);
    return tags;
  };
  EXPECT_THAT(tags_of_second_share(axis(1, 2 * rows, columns)), testing::Each(testing::Ne(0u)));
  EXPECT_THAT(tags_of_second_share(axis(2, rows, columns)), testing::Each(0u));
}

TEST(Axis, ScansReadTheInitialValueFromMemory) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(affine_axis, axis_panels(1, 3, 8, 0), nullptr);
  const test::PortCase call = test::make_axis_case(affine_axis, axis(2, 41, 23), 7);
  EXPECT_EQ(test::run_and_compare(engine->device(), plan, call, {.initial_in_memory = true}), std::nullopt);
}

// Several panels, of which the last one is narrow: items of a byte, whose panels begin at sectors, and tiles of which
// the spans are published, too. 300 small launches go round what an earlier one has left (scrub).
TEST(Axis, PublishesWithinTheWorkspace) {
  const auto engine = test::host_engine(test::two_multiprocessors());
  const Plan plan =
      engine->plan(axis_of_type(Algorithm::inclusive_scan, plus, Type::i8), axis_lookahead(4, 1, 4, 2, 32), nullptr);
  for (const Axis& shape : {axis(1, 257, 37), axis(1, 513, 33), axis(1, 65, 95)}) {
    const std::uint64_t n = shape.length() * shape.inner(), bytes = plan.workspace_bytes(n), guard = 1 << 14;
    std::vector<std::byte> memory(bytes + guard + WorkspaceRule::header_bytes);
    void* begin = memory.data();
    std::size_t room = memory.size();
    ASSERT_NE(std::align(WorkspaceRule::header_bytes, bytes + guard, begin, room), nullptr);
    auto* const behind = static_cast<std::byte*>(begin) + bytes;
    std::fill_n(behind, guard, std::byte{0xa5});
    const BorrowedWorkspace workspace = plan.borrow_workspace(begin, bytes);
    const std::vector<std::int8_t> in(n, 1);
    std::vector<std::int8_t> out(n);
    const auto scan = [&](const Axis& of) {
      plan.run(Arguments(of).array("in", in.data()).array("out", out.data()), nullptr, workspace);
    };
    scan(shape);
    EXPECT_EQ(out.back(), static_cast<std::int8_t>(shape.length())) << shape.length() << " x " << shape.inner();
    for (int launch = 0; launch < 300; ++launch) scan(axis(1, 1, 2));
    EXPECT_EQ(std::count(behind, behind + guard, std::byte{0xa5}), static_cast<std::ptrdiff_t>(guard))
        << shape.length() << " x " << shape.inner();
  }
}

// ---- choices

TEST(Axis, OfAllExtentsHasOneKernelAndThoseOfAClassOnePlan) {
  const auto engine = test::host_engine();
  const auto plan = [&](std::uint64_t length, std::uint64_t inner) {
    Problem problem = axis_of_type(Algorithm::reduce, plus, Type::i32, length, inner);
    problem.size = 1 << 16;
    return engine->plan(problem, nullptr);
  };
  EXPECT_EQ(&plan(1000, 60).state(), &plan(1024, 52).state());
  EXPECT_EQ(&plan(1000, 61).state(), &plan(1000, 63).state());
  EXPECT_NE(&plan(1000, 60).state(), &plan(1000, 61).state()) << "rows are no whole vectors";
  EXPECT_NE(&plan(1000, 60).state(), &plan(1000, 64).state()) << "rows begin within lines of 128 bytes";
  EXPECT_NE(&plan(1000, 60).state(), &plan(1000, 56).state()) << "rows begin within sectors of 32 bytes";
  EXPECT_NE(&plan(1000, 60).state(), &plan(1000, 4).state());
  EXPECT_NE(&plan(1000, 60).state(), &plan(100, 60).state());
  EXPECT_EQ(plan(1000, 64).source().key, plan(1000, 4).source().key);
}

}  // namespace
}  // namespace upsweep
