// Small runs of every strategy, for compute-sanitizer: scripts/gpu-suite runs these tests under its tools.
//
// racecheck reports correct code in which one lane arrives at a phase barrier for its whole warp
// (racecheck_gpu_test.cpp shows it). So racecheck runs RacecheckStrategies, in which every lane of the workers and of
// the loader of `lookahead` arrives for itself; all else is as generated. The other tools run Sanitize, as generated.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "generator/short_config.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/axis.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/editing_compiler.hpp"
#include "tests/support/every_lane.hpp"
#include "tests/support/limits.hpp"
#include "tests/support/port_case.hpp"
#include "tests/support/port_rings.hpp"
#include "tests/support/rows.hpp"
#include "tests/support/runs.hpp"
#include "tests/support/segments.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::Data;
using test::Strategy;

// Small runs, that refill rings of small tiles all the same, of one config of each strategy, aligned and not; of
// selections and reductions by key in place, too.
void run_small(runtime::Engine& engine, const Strategy& strategy) {
  const Plan plan = engine.plan(strategy.problem, strategy.config, nullptr);
  const std::uint64_t n = test::large_size(plan, 9 * plan.source().launch.items_per_tile + 5);
  const bool compacts = is_compact(strategy.problem);
  for (const test::Layout& layout :
       {test::Layout{}, {.in_offset = 1}, {.out_offset = 1}, {.in_place = true}, {.in_place = true, .in_offset = 1}}) {
    if (layout.in_place && !compacts) continue;
    EXPECT_EQ(compacts ? test::compact_and_compare(engine.device(), plan, n, 0, layout)
                       : test::run_and_compare(engine.device(), plan, n, Data::random, 1, layout),
              std::nullopt)
        << layout.in_offset << " " << layout.out_offset << (layout.in_place ? ", in place" : "");
  }
}

// The same of what finds runs, partitions and scans by key, and of calls with limits: each schedule's defaults.
void run_small_case(runtime::Engine& engine, const Strategy& strategy) {
  const Plan plan = engine.plan(strategy.problem, strategy.config, nullptr);
  const std::uint64_t n = test::large_size(plan, 9 * plan.source(plan.steps() - 1).launch.items_per_tile + 5);
  const test::PortCase call = test::make_runs_case(strategy.problem, n, 3, 1);
  for (const test::Layout& layout : {test::Layout{}, {.in_place = true, .in_offset = 1, .out_offset = 1}}) {
    EXPECT_EQ(test::run_and_compare(engine.device(), plan, call, layout), std::nullopt)
        << (layout.in_place ? "in place" : "");
  }
}

void run_small_limits(runtime::Engine& engine, const Strategy& strategy) {
  const Plan plan = engine.plan(strategy.problem, strategy.config, nullptr);
  const std::uint64_t n = 9 * plan.source().launch.items_per_tile + 5;
  EXPECT_EQ(test::run_with_limits(engine.device(), plan, n, 1), std::nullopt);
}

// Random lengths, many empty segments at one offset, and one that is longer than all others together.
void run_small_segments(runtime::Engine& engine, const Strategy& strategy) {
  const Plan plan = engine.plan(strategy.problem, strategy.config, nullptr);
  const std::uint64_t tile = plan.source(plan.steps() - 1).launch.items_per_tile, n = std::min(3 * tile, tile + 9000);
  for (const std::uint64_t seed : {1, 3, 5}) {
    const std::vector<std::uint64_t> offsets = test::offsets_of(test::mixed_lengths(n, seed), seed);
    const test::PortCase call = test::make_segments_case(strategy.problem, offsets, offsets.back() + 1, seed);
    EXPECT_EQ(test::run_and_compare(engine.device(), plan, call, {.in_offset = seed == 3 ? 1 : 0}), std::nullopt)
        << "seed " << seed;
  }
  const std::vector<std::uint64_t> offsets = test::offsets_of(test::mixed_lengths(n / 2, 2));
  const test::PortCase pairs = test::make_pairs_case(strategy.problem, offsets, offsets.back(), 2);
  EXPECT_EQ(test::run_and_compare(engine.device(), plan, pairs), std::nullopt) << "with gaps";
}

// Two or three tiles, or about 10^4 items, of rows that are shorter and longer than a thread's items, and than a tile.
void run_small_rows(runtime::Engine& engine, const Strategy& strategy) {
  const Plan plan = engine.plan(strategy.problem, strategy.config, nullptr);
  const std::uint64_t tile = plan.source(plan.steps() - 1).launch.items_per_tile, n = std::min(3 * tile, tile + 9000);
  for (const std::uint64_t length : {std::uint64_t{7}, n / 2 - 1}) {
    const test::PortCase call = test::make_rows_case(strategy.problem, rows(n / length, length), length);
    EXPECT_EQ(test::run_and_compare(engine.device(), plan, call, {.in_offset = length == 7 ? 1 : 0}), std::nullopt)
        << "rows of " << length;
  }
}

// Several panels of columns, each in several tiles along the axis.
void run_small_axis(runtime::Engine& engine, const Strategy& strategy) {
  const Plan plan = engine.plan(strategy.problem, strategy.config, nullptr);
  for (const Axis& given : {axis(2, 300, 17), axis(1, 90, 100), axis(2, 9, 515)}) {
    const test::PortCase call = test::make_axis_case(strategy.problem, given, given.inner());
    EXPECT_EQ(test::run_and_compare(engine.device(), plan, call), std::nullopt)
        << "axis of " << given.length() << " by " << given.inner();
  }
  if (plan.source().launch.row_columns == 0) return;
  const Axis own = axis(1, 7000, strategy.problem.inner);
  const test::PortCase call = test::make_axis_case(strategy.problem, own, own.inner());
  EXPECT_EQ(test::run_and_compare(engine.device(), plan, call, {.in_offset = 1}), std::nullopt);
}

std::vector<Strategy> with_defaults(std::vector<Strategy> all) {
  std::erase_if(all, [](const Strategy& strategy) { return strategy.name.find("default") == std::string::npos; });
  return all;
}

std::vector<Strategy> sanitized_cases() {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  std::vector<Strategy> all = test::run_strategies(limits);
  for (Strategy& partition : test::strategies({make_problem(Algorithm::three_way_partition, less, Type::i32, Type::u64),
                                               make_problem(Algorithm::stable_partition, less, Type::u8, Type::u64)},
                                              limits, test::Tiles::small)) {
    all.push_back(std::move(partition));
  }
  return with_defaults(std::move(all));
}

std::vector<Strategy> sanitized_segments() {
  const Problem sums = test::segments_of_type(Algorithm::reduce, plus, Type::f32, Type::u64);
  std::vector<Strategy> all =
      with_defaults(test::strategies({test::segments_of_type(Algorithm::exclusive_scan, plus, Type::i32), sums},
                                     limits_of_architecture("sm_90"), test::Tiles::small));
  all.push_back({sums,
                 *config_from_text("segment_groups, threads_per_block=64, threads_per_segment=8, items_per_thread=2, "
                                   "blocks_per_helper=4, piece_kibibytes=1"),
                 "reduce_plus_f32_by_u64_segments_of_64_segment_groups_with_helpers"});
  return all;
}

std::vector<Strategy> sanitized_rows() {
  return with_defaults(test::strategies(
      {test::rows_of_type(Algorithm::exclusive_scan, plus, Type::i32),
       test::rows_of_type(Algorithm::inclusive_scan, plus, Type::i8),
       test::rows_of_type(Algorithm::reduce, plus, Type::f32), test::rows_of_type(Algorithm::reduce, plus, Type::i8),
       test::rows_of_type(Algorithm::reduce, maximum, Type::u8)},
      limits_of_architecture("sm_90"), test::Tiles::small));
}

std::vector<Strategy> sanitized_axes() {
  const Problem scans = test::axis_of_type(Algorithm::exclusive_scan, plus, Type::i32);
  std::vector<Strategy> all =
      with_defaults(test::strategies({scans, test::axis_of_type(Algorithm::inclusive_scan, plus, Type::i8),
                                      test::axis_of_type(Algorithm::reduce, plus, Type::f32)},
                                     limits_of_architecture("sm_90"), test::Tiles::small));
  for (Strategy& narrow :
       with_defaults(test::strategies({test::axis_of_type(Algorithm::exclusive_scan, plus, Type::i32, 1000, 3),
                                       test::axis_of_type(Algorithm::inclusive_scan, plus, Type::i8, 1000, 4)},
                                      limits_of_architecture("sm_90"), test::Tiles::small))) {
    if (narrow.config.schedule == "lookahead") all.push_back(std::move(narrow));
  }
  // Panels of wide rows, and results that lie apart; by default, panels have whole arrays.
  all.push_back({scans,
                 *config_from_text("axis_pipeline, threads_per_block=96, storer_warps=1, columns_per_thread=1, "
                                   "items_per_thread=2, stages=2, stage_kib=1"),
                 "exclusive_scan_plus_i32_axis_of_1000_by_64_axis_pipeline_of_divided_rows"});
  return all;
}

std::vector<Strategy> sanitized_limits() {
  return with_defaults(test::limited_strategies(limits_of_architecture("sm_90")));
}

std::vector<Strategy> sanitized_strategies() {
  std::vector<Strategy> all = test::sanitized_strategies(limits_of_architecture("sm_90"));
  // The only problems for which the matrix units scan.
  all.push_back({make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32),
                 *config_from_text("lookback, warp_scan=matrix, threads_per_block=96, items_per_thread=5"),
                 "inclusive_scan_plus_i32_warp_scan_matrix"});
  return all;
}

std::vector<Strategy> sanitized_compact_strategies() {
  return test::sanitized_compact_strategies(limits_of_architecture("sm_90"));
}

class Sanitize : public testing::TestWithParam<Strategy> {};

TEST_P(Sanitize, SmallRun) {
  run_small(*test::gpu_engine(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, Sanitize, testing::ValuesIn(sanitized_strategies()), test::by_name);

INSTANTIATE_TEST_SUITE_P(Compact, Sanitize, testing::ValuesIn(sanitized_compact_strategies()), test::by_name);

class SanitizeCases : public testing::TestWithParam<Strategy> {};

TEST_P(SanitizeCases, SmallRun) {
  run_small_case(*test::gpu_engine(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeCases, testing::ValuesIn(sanitized_cases()), test::by_name);

class SanitizeSegments : public testing::TestWithParam<Strategy> {};

TEST_P(SanitizeSegments, SmallRun) {
  run_small_segments(*test::gpu_engine(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeSegments, testing::ValuesIn(sanitized_segments()), test::by_name);

class SanitizeRows : public testing::TestWithParam<Strategy> {};

TEST_P(SanitizeRows, SmallRun) {
  run_small_rows(*test::gpu_engine(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeRows, testing::ValuesIn(sanitized_rows()), test::by_name);

class SanitizeAxes : public testing::TestWithParam<Strategy> {};

TEST_P(SanitizeAxes, SmallRun) {
  run_small_axis(*test::gpu_engine(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeAxes, testing::ValuesIn(sanitized_axes()), test::by_name);

class SanitizeLimits : public testing::TestWithParam<Strategy> {};

TEST_P(SanitizeLimits, SmallRun) {
  run_small_limits(*test::gpu_engine(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeLimits, testing::ValuesIn(sanitized_limits()), test::by_name);

runtime::Engine& engine_where_every_lane_arrives() {
  static const auto engine = [] {
    runtime::Engine::Parts parts =
        runtime::Engine::parts({.device = test::gpu_device(), .database = "none", .reproducible = false});
    parts.compiler =
        std::make_shared<test::EditingCompiler>(parts.compiler, "every_lane_arrives", test::let_every_lane_arrive);
    return std::make_shared<runtime::Engine>(std::move(parts));
  }();
  return *engine;
}

class RacecheckStrategies : public testing::TestWithParam<Strategy> {};

TEST_P(RacecheckStrategies, SmallRun) {
  run_small(engine_where_every_lane_arrives(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, RacecheckStrategies, testing::ValuesIn(sanitized_strategies()), test::by_name);

INSTANTIATE_TEST_SUITE_P(Compact, RacecheckStrategies, testing::ValuesIn(sanitized_compact_strategies()),
                         test::by_name);

class RacecheckStrategiesOfCases : public testing::TestWithParam<Strategy> {};

TEST_P(RacecheckStrategiesOfCases, SmallRun) {
  run_small_case(engine_where_every_lane_arrives(), GetParam());
}

class RacecheckStrategiesOfSegments : public testing::TestWithParam<Strategy> {};

TEST_P(RacecheckStrategiesOfSegments, SmallRun) {
  run_small_segments(engine_where_every_lane_arrives(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, RacecheckStrategiesOfSegments, testing::ValuesIn(sanitized_segments()), test::by_name);

class RacecheckStrategiesOfRows : public testing::TestWithParam<Strategy> {};

TEST_P(RacecheckStrategiesOfRows, SmallRun) {
  run_small_rows(engine_where_every_lane_arrives(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, RacecheckStrategiesOfRows, testing::ValuesIn(sanitized_rows()), test::by_name);

class RacecheckStrategiesOfAxes : public testing::TestWithParam<Strategy> {};

TEST_P(RacecheckStrategiesOfAxes, SmallRun) {
  run_small_axis(engine_where_every_lane_arrives(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, RacecheckStrategiesOfAxes, testing::ValuesIn(sanitized_axes()), test::by_name);

INSTANTIATE_TEST_SUITE_P(All, RacecheckStrategiesOfCases, testing::ValuesIn(sanitized_cases()), test::by_name);

}  // namespace
}  // namespace upsweep
