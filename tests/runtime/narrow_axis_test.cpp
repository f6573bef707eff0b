// Scans along an axis of one array with two to four items behind it, as one sequence of rows, on the host device; and
// calls of the same plans with other extents.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/shape.hpp"
#include "generator/space.hpp"
#include "runtime/call_arguments.hpp"
#include "tests/runtime/hostile_axis.hpp"
#include "tests/support/axis.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using test::axis_of_type;

constexpr Algorithm inclusive = Algorithm::inclusive_scan, exclusive = Algorithm::exclusive_scan;

// Axes of one row, of less than a thread's rows, of one tile and of many.
std::vector<Axis> axes_with(std::uint64_t inner) {
  std::vector<Axis> axes;
  for (const std::uint64_t length : {1, 2, 3, 5, 31, 200, 511, 513, 1537, 4001, 9000}) {
    axes.push_back(axis(1, length, inner));
  }
  return axes;
}

// With small tiles.
Config in_sequence(int vectors_per_thread, int reduce_ahead, const char* emit = "bulk") {
  return {"lookahead",
          {{"worker_warps", 2},
           {"vectors_per_thread", vectors_per_thread},
           {"stages", reduce_ahead + 2},
           {"reduce_ahead", reduce_ahead},
           {"states_per_lane", 1},
           {"emit", emit}}};
}

Config strided(Config config) {
  config.values["order"] = "strided";
  config.values["descriptor"] = "split";
  config.values["fill"] = "async";
  return config;
}

struct NarrowCase {
  const char* name;
  Problem problem;
  Config config;
};

void PrintTo(const NarrowCase& each, std::ostream* out) {
  *out << to_string(each.problem) << " " << to_json(each.config);
}

Problem narrow(Algorithm algorithm, Operator op, Type type, std::uint64_t inner) {
  return axis_of_type(algorithm, op, type, 1000, inner);
}

Problem widening_narrow(Algorithm algorithm) {
  Problem problem = narrow(algorithm, plus, Type::i16, 2);
  problem.accumulator = Type::i64;
  problem.output = Type::i32;
  return problem;
}

const NarrowCase narrow_cases[] = {
    {"words_of_2", narrow(inclusive, affine, Type::u32, 2), in_sequence(3, 1)},
    {"words_of_3", narrow(exclusive, affine, Type::u32, 3), in_sequence(3, 2)},
    {"words_of_4", narrow(inclusive, affine, Type::u32, 4), in_sequence(5, 1, "vectorized")},
    {"words_of_4_strided", narrow(exclusive, affine, Type::u32, 4), strided(in_sequence(3, 1, "vectorized"))},
    {"double_words", narrow(inclusive, affine, Type::u64, 2), strided(in_sequence(3, 0))},
    {"bytes_of_3", narrow(exclusive, maximum, Type::i8, 3), in_sequence(3, 1)},
    {"bytes_of_4", narrow(inclusive, plus, Type::u8, 4), in_sequence(7, 1, "vectorized_once")},
    {"halves", narrow(inclusive, last_nonzero, Type::f16, 3), in_sequence(9, 2, "bulk_once")},
    {"complex", narrow(exclusive, plus, Type::c64, 2), in_sequence(5, 1)},
    {"widening", widening_narrow(inclusive), in_sequence(3, 1)},
    {"widening_exclusive", widening_narrow(exclusive), in_sequence(5, 2, "vectorized")}};

class NarrowAxis : public testing::TestWithParam<NarrowCase> {};

TEST_P(NarrowAxis, IsScannedAsOneSequenceUnderHostileSchedules) {
  const auto& [name, problem, config] = GetParam();
  test::expect_right_under_hostile_schedules(test::two_multiprocessors(), problem, config, axes_with(problem.inner),
                                             44);
}

// All alignments of input and output, apart and in place.
TEST_P(NarrowAxis, MayBeginAnywhere) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (int offset = 0; offset < 9; ++offset) {
    const auto rows = static_cast<std::uint64_t>(700 + offset);
    const Axis shape = axis(1, rows, plan.problem().inner);
    const test::PortCase call = test::make_axis_case(plan.problem(), shape, rows);
    for (const test::Layout& layout :
         {test::Layout{.in_offset = offset, .out_offset = offset}, test::Layout{.in_offset = offset},
          test::Layout{.out_offset = offset}, test::Layout{.in_offset = offset, .out_offset = 5}}) {
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
          << shape.length() << " x " << shape.inner() << ", offset " << offset;
    }
  }
}

TEST_P(NarrowAxis, OtherExtentsAreTaken) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t own = plan.problem().inner;
  for (const Axis& shape : {axis(2, 300, own), axis(1, 300, own + 1), axis(1, 90, 1), axis(3, 77, 5), axis(1, 41, 700),
                            axis(500, 4, own), axis(1, 400, own), axis(0, 5, own), axis(1, 0, own), axis(2, 7, 0)}) {
    const test::PortCase call = test::make_axis_case(plan.problem(), shape, shape.inner() + 1);
    ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, {}), std::nullopt)
        << shape.outer() << " x " << shape.length() << " x " << shape.inner();
  }
}

// ---- plans

Problem sums_of(const Axis& shape) {
  return along_axis(make_problem(inclusive, plus, Type::f32, Type::f32), shape);
}

runtime::CallValues values_of(const Axis& shape) {
  runtime::CallValues values;
  runtime::set_axis(values, shape);
  return values;
}

TEST(NarrowPlan, HasOneMorePlanForAllOtherExtents) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(narrow(inclusive, plus, Type::i32, 3), in_sequence(3, 1), nullptr);
  const auto plan_for = [&](const Axis& shape) { return &plan.state().plan_for(values_of(shape), nullptr); };
  EXPECT_EQ(plan_for(axis(1, 50, 3)), &plan.state());
  EXPECT_EQ(plan_for(axis(1, 0, 7)), &plan.state()) << "there is nothing to do";
  const runtime::PlanState* const other = plan_for(axis(2, 50, 3));
  EXPECT_NE(other, &plan.state());
  EXPECT_EQ(plan_for(axis(1, 50, 4)), other);
  EXPECT_EQ(plan_for(axis(7, 50, 900)), other);
}

TEST(NarrowPlan, TheConfigOfOtherExtentsDoesNotDependOnTheFirstCall) {
  const auto engine = test::host_engine();
  const auto config_after = [&](const Axis& first) {
    const Plan plan = engine->plan(narrow(inclusive, plus, Type::f32, 3), in_sequence(3, 1), nullptr);
    return plan.state().plan_for(values_of(first), nullptr).choice.config;
  };
  const Config config = config_after(axis(2, 300, 3));
  EXPECT_EQ(config_after(axis(64, 1 << 18, 3)), config);
  EXPECT_EQ(config_after(axis(1, 4, 1 << 20)), config);
}

TEST(NarrowPlan, ThreadsThatAskFirstShareThePlanOfOtherExtents) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(narrow(inclusive, plus, Type::i32, 2), in_sequence(3, 1), nullptr);
  std::array<const runtime::PlanState*, 4> taken{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      threads.emplace_back([&, i] { taken[i] = &plan.state().plan_for(values_of(axis(1, 50, i + 3)), nullptr); });
    }
  }
  EXPECT_NE(taken[0], &plan.state());
  EXPECT_THAT(taken, testing::Each(taken[0]));
}

TEST(NarrowPlan, TakesOtherExtentsReproduciblyIfItIsReproducible) {
  const auto engine = test::host_engine();
  Config config = in_sequence(3, 1);
  config.values["order"] = "strided";
  const Plan plan = engine->plan(sums_of(axis(1, 1 << 20, 3)), config, nullptr);
  ASSERT_TRUE(plan.reproducible());
  const runtime::PlanState& other = plan.state().plan_for(values_of(axis(1, 500, 6)), nullptr);
  EXPECT_FALSE(is_reproducible(other.problem, Space(other.problem, engine->device().limits()).default_config()))
      << "another problem would tell";
  EXPECT_TRUE(is_reproducible(other.problem, other.choice.config)) << to_json(other.choice.config);
}

// The plan of other extents has another layout of the workspace.
TEST(NarrowPlan, WorkspacesOfTheCallerServeItsOwnExtents) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(narrow(inclusive, plus, Type::i32, 3), in_sequence(3, 1), nullptr);
  std::vector<std::int32_t> in(600, 1), out(600);
  runtime::Buffer memory(engine->device(), plan.workspace_bytes(600));
  const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
  const auto run = [&](const Axis& shape) {
    plan.run(Arguments(shape).array("in", in.data()).array("out", out.data()), nullptr, workspace);
  };
  run(axis(1, 200, 3));
  EXPECT_EQ(out.back(), 200);
  EXPECT_EQ(
      test::message_of<UsageError>([&] { run(axis(2, 100, 3)); }),
      "a workspace of yours serves calls of one array with 3 items behind the axis, but the call has 6 columns, of "
      "which 3 lie next to each other: make a plan for such calls, with along_axis()");
  EXPECT_EQ(out.back(), 200);
}

// One plan for each number of items behind the axis up to 4: those of five to eleven share a class.
TEST(NarrowPlan, IsTheDefaultOfItsExtentsOnly) {
  DeviceLimits limits = limits_of_architecture("sm_90");
  const auto schedule = [&](const Axis& shape) { return Space(sums_of(shape), limits).default_config().schedule; };
  for (const std::uint64_t inner : {2, 3, 4}) {
    EXPECT_EQ(schedule(axis(1, 1 << 20, inner)), "lookahead") << inner;
    EXPECT_NE(schedule(axis(64, 1 << 20, inner)), "lookahead") << inner;
  }
  EXPECT_NE(schedule(axis(1, 1 << 20, 5)), "lookahead");
  EXPECT_NE(schedule(axis(2, 760'000, 3)), "lookahead") << "two arrays have the class of one";
  const auto engine = test::host_engine();
  EXPECT_NE(&engine->plan(sums_of(axis(2, 7600, 3)), nullptr).state(),
            &engine->plan(sums_of(axis(1, 15'200, 3)), nullptr).state());
  EXPECT_FALSE(same_shape(sums_of(axis(1, 1 << 20, 3)), sums_of(axis(1, 1 << 20, 5))));
  EXPECT_TRUE(same_shape(sums_of(axis(1, 1 << 20, 5)), sums_of(axis(1, 1 << 20, 7))));
}

TEST(NarrowPlan, ConfigsThatDoNotFitSayWhatToUse) {
  const Space space(narrow(inclusive, plus, Type::f32, 3), limits_of_architecture("sm_90"));
  const auto first_violation = [&](const char* name, int value) {
    Config config = space.complete({"lookahead", {}});
    config.values[name] = value;
    const std::vector<std::string> found = space.violations(config);
    return found.empty() ? std::string() : found.front();
  };
  EXPECT_EQ(first_violation("row_columns", 3), "");
  EXPECT_EQ(first_violation("row_columns", 4), "row_columns: the axis has 3 items behind it; use row_columns=3");
  EXPECT_EQ(first_violation("vectors_per_thread", 5),
            "vectors_per_thread: a thread's 20 items are not whole rows of 3, or fewer than 3 vectors; use "
            "vectors_per_thread=3");
  const Problem wide = axis_of_type(inclusive, plus, Type::f64, 1000, 3);
  EXPECT_THAT(Space(wide, limits_of_architecture("sm_90")).violations({"lookahead", {}}),
              testing::ElementsAre(testing::HasSubstr("unknown schedule 'lookahead'")));
}

INSTANTIATE_TEST_SUITE_P(All, NarrowAxis, testing::ValuesIn(narrow_cases),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace upsweep
