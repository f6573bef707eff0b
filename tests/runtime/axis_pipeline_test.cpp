// Scans along an axis by warps that load, scan and store.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <upsweep/context.hpp>

#include "tests/runtime/hostile.hpp"
#include "tests/runtime/hostile_axis.hpp"
#include "tests/support/axis.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep {
namespace {

using test::axis_of_type;

Config fold_pipeline(int threads_per_block, int columns_per_thread, int items_per_thread, int stages, int stage_kib) {
  return {"axis_pipeline",
          {{"threads_per_block", threads_per_block},
           {"columns_per_thread", columns_per_thread},
           {"items_per_thread", items_per_thread},
           {"loader_warps", 1},
           {"stages", stages},
           {"stage_kib", stage_kib}}};
}

Config pipeline_of(int threads_per_block, int storer_warps, int columns_per_thread, int items_per_thread, int stages,
                   int stage_kib) {
  Config config = fold_pipeline(threads_per_block, columns_per_thread, items_per_thread, stages, stage_kib);
  config.values["storer_warps"] = storer_warps;
  return config;
}

const Problem pipelined_axis = axis_of_type(Algorithm::exclusive_scan, Operator::affine, Type::u32);

Config with_loaders(Config config, int warps) {
  config.values["loader_warps"] = warps;
  return config;
}

struct PipelineCase {
  const char* name;
  Problem problem;
  Config config;
};

void PrintTo(const PipelineCase& given, std::ostream* out) {
  *out << to_string(given.problem) << " " << to_json(given.config);
}

class AxisPipeline : public testing::TestWithParam<PipelineCase> {};

// Panels of several arrays, whose tiles have all rows or some, and panels of wide rows; last ones with fewer arrays,
// columns and rows; rows of less than a sector; and none. Results that take the place of items, and results that
// cannot.
TEST_P(AxisPipeline, GivesWhatAPlainLoopGives) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  std::uint64_t seed = 0;
  for (const Axis& shape : {axis(1, 4, 700), axis(1, 17, 1025), axis(3, 5, 515), axis(2, 33, 67), axis(40, 3, 5),
                            axis(2, 500, 2), axis(9, 2, 131), axis(31, 90, 13), axis(1, 100, 1), axis(1, 1, 3001),
                            axis(4, 9, 32), axis(70, 8, 1), axis(0, 5, 3), axis(3, 0, 5), axis(2, 7, 0)}) {
    const test::PortCase call = test::make_axis_case(plan.problem(), shape, ++seed);
    const bool is_scan = plan.problem().algorithm != Algorithm::reduce;
    for (const test::Layout& layout :
         {test::Layout{}, test::Layout{.in_place = true, .in_offset = 1}, test::Layout{.in_offset = 1, .out_offset = 1},
          test::Layout{.out_offset = 1}, test::Layout{.in_offset = 1, .out_offset = 3}}) {
      if (layout.in_place && !is_scan) continue;
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
          << shape.outer() << " x " << shape.length() << " x " << shape.inner() << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, AxisPipeline,
    testing::Values(PipelineCase{"words", pipelined_axis, pipeline_of(128, 1, 2, 2, 3, 2)},
                    PipelineCase{"double_words", axis_of_type(Algorithm::inclusive_scan, affine, Type::u64),
                                 pipeline_of(96, 1, 1, 4, 2, 2)},
                    PipelineCase{"bytes", axis_of_type(Algorithm::exclusive_scan, maximum, Type::i8),
                                 pipeline_of(160, 2, 8, 1, 4, 2)},
                    PipelineCase{"halves", axis_of_type(Algorithm::inclusive_scan, maximum, Type::f16),
                                 with_loaders(pipeline_of(256, 4, 4, 8, 5, 1), 2)},
                    PipelineCase{"of_16_bytes", axis_of_type(Algorithm::inclusive_scan, plus, Type::c128),
                                 pipeline_of(96, 1, 1, 2, 2, 2)},
                    PipelineCase{"of_large_blocks", pipelined_axis, pipeline_of(1024, 2, 4, 4, 4, 48)},
                    PipelineCase{"folds_in_order", axis_of_type(Algorithm::reduce, Operator::affine, Type::u32),
                                 with_loaders(fold_pipeline(160, 2, 2, 3, 2), 4)},
                    PipelineCase{"folds_of_bytes", axis_of_type(Algorithm::reduce, plus, Type::u8),
                                 fold_pipeline(64, 8, 1, 4, 2)},
                    PipelineCase{"folds_of_double_words", axis_of_type(Algorithm::reduce, maximum, Type::i64),
                                 fold_pipeline(64, 1, 8, 2, 2)},
                    PipelineCase{"folds_of_16_bytes", axis_of_type(Algorithm::reduce, plus, Type::c128),
                                 fold_pipeline(64, 1, 2, 2, 2)},
                    PipelineCase{"folds_of_large_blocks", axis_of_type(Algorithm::reduce, plus, Type::f32),
                                 fold_pipeline(1024, 4, 4, 4, 48)}),
    [](const auto& given) { return given.param.name; });

// Two blocks take panels by turns. Two or three warps scan or fold in each, and one or two load.
TEST(AxisPipelineSchedule, IsRightUnderHostileSchedules) {
  const std::vector<Axis> shapes = {axis(3, 5, 700), axis(4, 3, 1025), axis(31, 90, 13), axis(70, 8, 1)};
  for (const int stages : {2, 3}) {
    test::expect_right_under_hostile_schedules(test::two_multiprocessors(), pipelined_axis,
                                               with_loaders(pipeline_of(192, 2, 2, 2, stages, 2), 2), shapes, 8);
    test::expect_right_under_hostile_schedules(
        test::two_multiprocessors(), axis_of_type(Algorithm::reduce, Operator::affine, Type::u32),
        with_loaders(fold_pipeline(128, 2, 2, stages, 2), stages - 1), shapes, 8);
  }
}

}  // namespace
}  // namespace upsweep
