// Scans along an axis whose rows do not fill vectors, and wait in shared memory until their whole sectors are stored.
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

Config staged(int columns_per_thread, int items_per_thread, int blocks_per_multiprocessor = 16) {
  return {"axis_columns",
          {{"uneven_rows", "staged"},
           {"threads_per_block", 64},
           {"columns_per_thread", columns_per_thread},
           {"items_per_thread", items_per_thread},
           {"blocks_per_multiprocessor", blocks_per_multiprocessor}}};
}

Problem narrowing_axis() {
  Problem problem = axis_of_type(Algorithm::exclusive_scan, plus, Type::i32);
  problem.accumulator = Type::i64;
  problem.output = Type::i16;
  return problem;
}

Problem widening_axis() {
  Problem problem = axis_of_type(Algorithm::inclusive_scan, plus, Type::i16);
  problem.accumulator = problem.output = Type::i32;
  return problem;
}

// More shared memory than a kernel declares.
Config of_large_blocks() {
  Config config = staged(4, 8);
  config.values["threads_per_block"] = 256;
  return config;
}

struct StagedCase {
  const char* name;
  Problem problem;
  Config config;
};

void PrintTo(const StagedCase& given, std::ostream* out) {
  *out << to_string(given.problem) << " " << to_json(given.config);
}

class StagedRows : public testing::TestWithParam<StagedCase> {};

// Panels that are whole and not, of one array and of several; rows of less than a sector, and rows that fill vectors
// where the arrays are not aligned; fewer rows than a thread loads at a time, and more; and none.
TEST_P(StagedRows, AreThoseOfAPlainLoop) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  std::uint64_t seed = 0;
  for (const Axis& shape : {axis(1, 4, 700), axis(1, 17, 1025), axis(3, 5, 515), axis(2, 33, 67), axis(40, 3, 5),
                            axis(2, 500, 2), axis(9, 2, 131), axis(1, 100, 1), axis(1, 1, 3001), axis(4, 9, 32),
                            axis(0, 5, 3), axis(3, 0, 5), axis(2, 7, 0)}) {
    const test::PortCase call = test::make_axis_case(plan.problem(), shape, ++seed);
    for (const test::Layout& layout : {test::Layout{}, test::Layout{.in_place = true}, test::Layout{.out_offset = 1},
                                       test::Layout{.in_offset = 1, .out_offset = 3}}) {
      if (layout.in_place && plan.problem().input != plan.problem().output) continue;
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
          << shape.outer() << " x " << shape.length() << " x " << shape.inner() << ", seed " << seed;
    }
  }
}

const Problem affine_axis = axis_of_type(Algorithm::exclusive_scan, Operator::affine, Type::u32);

INSTANTIATE_TEST_SUITE_P(
    All, StagedRows,
    testing::Values(StagedCase{"words", affine_axis, staged(4, 2)},
                    StagedCase{"double_words", axis_of_type(Algorithm::inclusive_scan, affine, Type::u64),
                               staged(2, 8)},
                    StagedCase{"of_large_blocks", affine_axis, of_large_blocks()},
                    StagedCase{"widening", widening_axis(), staged(4, 2)},
                    StagedCase{"narrowing", narrowing_axis(), staged(2, 4)},
                    StagedCase{"bytes", axis_of_type(Algorithm::inclusive_scan, maximum, Type::i8), staged(16, 1)},
                    StagedCase{"of_16_bytes", axis_of_type(Algorithm::inclusive_scan, plus, Type::c128), staged(1, 6)}),
    [](const auto& given) { return given.param.name; });

// Two blocks take the panels of several arrays by turns: one of each, three or five.
TEST(StagedRows, AreRightUnderHostileSchedules) {
  const std::vector<Axis> shapes = {axis(3, 5, 700), axis(4, 3, 1025), axis(5, 2, 701), axis(3, 150, 9),
                                    axis(7, 20, 18)};
  test::expect_right_under_hostile_schedules(test::two_multiprocessors(), affine_axis, staged(4, 2, 1), shapes, 10);
}

}  // namespace
}  // namespace upsweep
