// Default configs of adjacent differences and of runs of at least two items.
#include <gtest/gtest.h>

#include "generator/algorithm.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "generator/stage_ports.hpp"

namespace upsweep {
namespace {

TEST(SpaceDifference, DefaultsAreValidAndSuitEverySize) {
  const Problem problems[] = {problem_of(Algorithm::adjacent_difference, minus, Type::i8, {}, {}),
                              problem_of(Algorithm::adjacent_difference, plus, Type::f16, {}, {}),
                              problem_of(Algorithm::adjacent_difference, minus, Type::f64, {}, {}),
                              problem_of(Algorithm::adjacent_difference, minus, Type::c128, {}, {}),
                              problem_of(Algorithm::adjacent_difference, minus, Type::i8, Type::c64, Type::c128)};
  for (const char* architecture : {"sm_75", "sm_80", "sm_90", "sm_120"}) {
    for (Problem problem : problems) {
      for (const std::uint64_t size : {1ull, 1ull << 20, 1ull << 33}) {
        problem.size = size;
        const Space space(problem, limits_of_architecture(architecture));
        const Config config = space.default_config();
        EXPECT_EQ(config.schedule, "independent_tiles");
        EXPECT_TRUE(space.suits(config));
        EXPECT_EQ(space.violations(config), std::vector<std::string>{}) << to_string(problem) << " " << architecture;
      }
    }
  }
}

// Items of a difference do not combine: no schedule of scans or reduces takes them.
TEST(SpaceDifference, SchedulesAreTilesOfTheirOwnAndTheReference) {
  const Problem problem = problem_of(Algorithm::adjacent_difference, minus, Type::f32, {}, {});
  const Space space(problem, limits_of_architecture("sm_90"));
  ASSERT_EQ(space.schedules().size(), 2u);
  EXPECT_EQ(space.schedules()[0]->name(), "independent_tiles");
  EXPECT_EQ(space.schedules()[1]->name(), "sequential");
  EXPECT_FALSE(
      space.violations(space.complete({"independent_tiles", {{"load", "vectorized"}, {"items_per_thread", 3}}}))
          .empty());
  EXPECT_TRUE(is_reproducible(problem, space.default_config())) << "each result is one application of the operator";
  const Space scans(problem_of(Algorithm::inclusive_scan, plus, Type::f32, {}, {}), limits_of_architecture("sm_90"));
  for (const Schedule* schedule : scans.schedules()) EXPECT_NE(schedule->name(), "independent_tiles");
}

// Offsets wait where items were: two results are never neighbours, so that the last items of a warp are left.
TEST(SpaceDifference, RunsOfManyItemsTakeLookaheadAndKeepTheirResultsInTheStage) {
  for (const Algorithm algorithm : {Algorithm::nontrivial_runs, Algorithm::run_length_encode}) {
    Problem problem = problem_of(algorithm, equal_to, Type::u32, {}, {});
    problem.size = 1 << 28;
    EXPECT_TRUE(stage_ports::results_in_stage(problem)) << name(algorithm);
    EXPECT_EQ(Space(problem, limits_of_architecture("sm_90")).default_config().schedule, "lookahead");
  }
}

}  // namespace
}  // namespace upsweep
