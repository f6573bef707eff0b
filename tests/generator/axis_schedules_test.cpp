// Schedules along an axis: default configs are valid, and what is refused.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/axis.hpp>
#include <upsweep/source.hpp>

#include "generator/algorithm.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/bandwidth.hpp"

namespace upsweep {
namespace {

// The default is valid for every type and shape: threads walk down many columns, and share few.
TEST(AxisSchedulesOf, DefaultsAlongAnAxisAreValidForAllTypesAndExtents) {
  for (const DeviceLimits& limits :
       {limits_of_architecture("sm_75"), limits_of_architecture("sm_80"), limits_of_architecture("sm_86"),
        limits_of_architecture("sm_90"), test::with_bandwidth(4800), limits_of_part(test::with_bandwidth(4800), 16)}) {
    for (const Type type : all_types()) {
      for (const std::uint64_t inner : {2, 3, 4, 64, 203, 1000, 1 << 18, 1 << 20, 22'369'621}) {
        for (const Algorithm algorithm : {Algorithm::exclusive_scan, Algorithm::reduce}) {
          const Problem problem =
              along_axis(make_problem(algorithm, plus, type, type), axis(1, (1 << 26) / inner, inner));
          const Space space(problem, limits);
          for (const ScheduleInfo& schedule : space.describe()) {
            const bool copies_in_bulk = schedule.name == "axis_lookahead" || schedule.name == "axis_pipeline";
            if (copies_in_bulk && limits.compute_capability < 90) continue;
            if (schedule.name == "lookahead" && limits.compute_capability < 80) continue;
            std::vector<std::string> expected;
            if (schedule.name == "axis_shares" && limits.compute_capability < 80) {
              expected.emplace_back(
                  "compute capability: the schedule axis_shares needs 8.0 or higher; use the schedule axis_pieces");
            }
            EXPECT_EQ(space.violations(schedule.default_config), expected)
                << to_string(problem) << " " << schedule.name;
          }
          EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>{}) << to_string(problem);
        }
      }
    }
  }
}

TEST(AxisSchedulesOf, LongAxesHaveNarrowPanelsInAFastMemory) {
  using Panels = std::vector<std::int64_t>;
  const auto panels = [](Type type, std::uint64_t rows, std::uint64_t inner, double bandwidth = 4800) {
    const Problem problem = along_axis(make_problem(Algorithm::inclusive_scan, plus, type, type),
                                       axis(1 + (1 << 26) / rows / inner, rows, inner));
    const Config config = Space(problem, test::with_bandwidth(bandwidth)).default_config();
    if (config.schedule != "axis_panels") return Panels{};
    return Panels{config.integer("threads_per_block"), config.integer("panel_width"), config.integer("rows_per_thread"),
                  config.integer("blocks_per_multiprocessor")};
  };
  const Panels of_whole_arrays = {256, 32, 97, 8}, narrow = {64, 32, 129, 6}, usual = {256, 64, 65, 3};
  EXPECT_EQ(panels(Type::f32, 1 << 16, 1024), of_whole_arrays);
  EXPECT_EQ(panels(Type::f32, 1 << 15, 1000), of_whole_arrays);
  EXPECT_EQ(panels(Type::f32, 1 << 15, 512), usual) << "half as many items of one array";
  EXPECT_EQ(panels(Type::f32, 1 << 14, 4096), usual);
  EXPECT_EQ(panels(Type::f32, 1 << 18, 256), narrow);
  EXPECT_EQ(panels(Type::f32, 1 << 19, 64), narrow);
  EXPECT_EQ(panels(Type::f32, 1 << 16, 128), usual);
  EXPECT_EQ(panels(Type::f32, 1 << 20, 64), Panels{}) << "axis_lookahead";
  EXPECT_EQ(panels(Type::f32, 1 << 18, 32), Panels{}) << "likewise";
  EXPECT_EQ(panels(Type::i64, 1 << 16, 32), (Panels{256, 32, 49, 2}));
  EXPECT_EQ(panels(Type::f64, 1 << 18, 64), (Panels{128, 32, 65, 3}));
  EXPECT_NE(panels(Type::f32, 1 << 16, 1024, 3350), of_whole_arrays) << "a slower memory";
}

// Odd numbers of up to eleven columns begin at any item.
TEST(AxisSchedulesOf, AFewOddColumnsHaveManyReducerWarps) {
  const auto values = [](std::uint64_t outer, std::uint64_t rows, std::uint64_t inner) {
    const Problem problem =
        along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), axis(outer, rows, inner));
    const Config config = Space(problem, test::with_bandwidth(4800)).complete({"axis_lookahead", {}});
    return std::vector<std::int64_t>{config.integer("reducer_warps"), config.integer("vectors_per_thread"),
                                     config.integer("columns_per_thread")};
  };
  using Values = std::vector<std::int64_t>;
  EXPECT_EQ(values(64, 349'525, 3), (Values{8, 8, 1}));
  EXPECT_EQ(values(16, 1 << 20, 3), (Values{8, 7, 2}));
  EXPECT_EQ(values(64, 1 << 17, 7), (Values{8, 7, 2}));
  EXPECT_EQ(values(64, 1 << 17, 6), (Values{4, 10, 1}));
  EXPECT_EQ(values(4096, 1 << 11, 7), (Values{4, 10, 1})) << "short axes";
}

TEST(AxisSchedulesOf, DefaultsAlongAnAxisAreValidForWideAccumulators) {
  for (const DeviceLimits& limits :
       {DeviceLimits{}, limits_of_architecture("sm_75"), limits_of_architecture("sm_90"), test::with_bandwidth(4800)}) {
    for (const auto& [input, accumulator] :
         {std::pair{Type::i8, Type::i64}, {Type::u16, Type::f64}, {Type::f32, Type::f64}}) {
      for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
        for (const Axis& shape :
             {axis(1 << 16, 16, 64), axis(16, 1024, 64), axis(1, 16384, 16), axis(1, 1 << 16, 1024)}) {
          Problem problem = along_axis(make_problem(algorithm, plus, input, accumulator), shape);
          const Space space(problem, limits);
          EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>{})
              << to_string(problem) << ", " << limits.compute_capability;
        }
      }
    }
  }
}

TEST(AxisSchedulesOf, TilesOfWholeRowsHaveRoom) {
  const Problem problem =
      along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), axis(1, 1000, 4));
  const auto violations = [&](const char* architecture, decltype(Config::values) values) {
    const Space space(problem, limits_of_architecture(architecture));
    return space.violations(space.complete({"axis_lookahead", std::move(values)}));
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(violations("sm_90", {}), Texts{});
  EXPECT_EQ(violations("sm_90", {{"panel_columns", 128}}),
            Texts{"width: panel_columns=128 is more than the 256 worker threads, or 32 for each of the 2 "
                  "exchange_warps; use panel_columns=64 or less"});
  EXPECT_EQ(violations("sm_90", {{"worker_warps", 2}, {"vectors_per_thread", 1}, {"panel_columns", 64}, {"stages", 4}}),
            Texts{});
  EXPECT_EQ(violations("sm_90", {{"worker_warps", 2}, {"vectors_per_thread", 1}, {"panel_columns", 128}}),
            (Texts{"width: panel_columns=128 is more than the 64 worker threads, or 32 for each of the 2 "
                   "exchange_warps; use panel_columns=64 or less",
                   "width: a tile has no room for 4 rows of 128 columns; use a smaller panel_columns or more "
                   "vectors_per_thread"}));
  EXPECT_EQ(violations("sm_90", {{"worker_warps", 4}, {"reducer_warps", 4}, {"columns_per_thread", 8}}),
            Texts{"columns: 8 columns of 4 bytes do not fill a vector of at most 16 bytes; use columns_per_thread=4"});
  EXPECT_EQ(violations("sm_80", {{"worker_warps", 4}, {"vectors_per_thread", 8}}),
            Texts{"compute capability: the schedule axis_lookahead needs 9.0 or higher; use the schedule axis_panels"});
}

TEST(AxisSchedulesOf, TilesAlongAnAxisAreToldInRowsOrColumns) {
  const Problem problem =
      along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), axis(1, 1 << 16, 1024));
  const Space space(problem, limits_of_architecture("sm_90"));
  const auto text = [&](const char* schedule) { return generate(problem, space.complete({schedule, {}})).text; };
  EXPECT_NE(text("axis_panels").find(", tiles of about 130 rows"), std::string::npos);
  EXPECT_NE(text("axis_columns").find(", tiles of about 256 columns"), std::string::npos);
}

TEST(AxisSchedulesOf, SharesHaveRoom) {
  const Problem problem = along_axis(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), axis(1, 1 << 20, 64));
  const auto violations = [&](const char* architecture, decltype(Config::values) values) {
    const Space space(problem, limits_of_architecture(architecture));
    return space.violations(space.complete({"axis_shares", std::move(values)}));
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(violations("sm_90", {}), Texts{});
  EXPECT_EQ(
      violations("sm_90", {{"threads_per_block", 64}}),
      Texts{"width: two panels of panel_width=128 are more than the 32 threads that fold; use a smaller panel_width or "
            "more threads_per_block"});
  EXPECT_EQ(violations("sm_90", {{"stage_kib", 2}, {"columns_per_thread", 4}}),
            Texts{"stage_kib: a row of two panels has 4096 bytes, but a stage has 2048; use a larger stage_kib or a "
                  "smaller panel_width"});
  EXPECT_EQ(violations("sm_80", {{"fill", "bulk_once"}}),
            Texts{"compute capability: fill=bulk_once needs 9.0 or higher; use fill=async"});
  EXPECT_EQ(violations("sm_90", {{"stages", 18}}).size(), 2u) << "of a block, and of a multiprocessor";
}

TEST(AxisSchedulesOf, PanelsAndVectorsHaveRoom) {
  const Space scans(
      along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), axis(1, 1000, 1024)),
      limits_of_architecture("sm_90"));
  const auto violations = [&](const char* schedule, const char* parameter, int value) {
    Config config{schedule, {{"threads_per_block", 64}, {parameter, value}}};
    if (config.schedule == "axis_panels") config.values.emplace("contiguous_columns", 32);
    return scans.violations(scans.complete(config));
  };
  EXPECT_TRUE(violations("axis_panels", "panel_width", 64).empty());
  EXPECT_EQ(violations("axis_panels", "columns_per_thread", 4),
            std::vector<std::string>{"width: panel_width=32 and columns_per_thread=4 are more columns than the 64 "
                                     "threads of a block; use panel_width=16 or less"});
  EXPECT_EQ(violations("axis_panels", "contiguous_columns", 64),
            std::vector<std::string>{"width: contiguous_columns=64 stands for up to 128 columns, but a block has 64 "
                                     "threads; use contiguous_columns=32 or less"});
  const Space turing(scans.problem(), limits_of_architecture("sm_75"));
  EXPECT_EQ(turing.violations(turing.complete({"axis_panels", {{"copies", "async"}}})),
            std::vector<std::string>{"compute capability: copies=async needs 8.0 or higher; use copies=loads"});
  EXPECT_EQ(violations("axis_panels", "panel_width", 128),
            std::vector<std::string>{"width: panel_width=128 is more than the 64 threads of a block; use 64 or less"});
  EXPECT_EQ(violations("axis_columns", "columns_per_thread", 8),
            std::vector<std::string>{"columns: 8 columns of 4 bytes do not fill a vector of at most 16 bytes; use "
                                     "columns_per_thread=4"});
}

}  // namespace
}  // namespace upsweep
