// What each schedule refuses, in words, before anything is compiled; and what it promises.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/scans.hpp"

namespace upsweep {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

Problem scan_of(Type type, Type accumulator, Operator op = Operator::plus) {
  return make_problem(Algorithm::inclusive_scan, op, type, accumulator);
}

Problem i32_scan() {
  return scan_of(Type::i32, Type::i32);
}

Problem reduce() {
  return make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32);
}

std::vector<std::string> violations(const Problem& problem, const Config& partial, const char* architecture) {
  const Space space(problem, limits_of_architecture(architecture));
  return space.violations(space.complete(partial));
}

TEST(Lookahead, NeedsAStageForEachTileAheadAndTwoMore) {
  const auto with = [](std::int64_t ahead, std::int64_t stages) {
    return violations(i32_scan(), {"lookahead", {{"reduce_ahead", ahead}, {"stages", stages}, {"worker_warps", 4}}},
                      "sm_90");
  };
  for (const int ahead : {1, 3, 8}) {
    EXPECT_THAT(with(ahead, ahead + 1),
                ElementsAre("stages: with reduce_ahead=" + std::to_string(ahead) + ", stages must be " +
                            std::to_string(ahead + 2) + " or more; use more stages or a smaller reduce_ahead"));
  }
  for (const int ahead : {0, 3, 8}) EXPECT_THAT(with(ahead, ahead + 2), IsEmpty()) << ahead;
}

TEST(Lookahead, CopiesInBulkFrom90On) {
  for (const char* architecture : {"sm_80", "sm_86", "sm_89"}) {
    for (const std::string way : {"bulk", "bulk_once"}) {
      EXPECT_THAT(violations(i32_scan(), {"lookahead", {{"fill", way}}}, architecture),
                  ElementsAre("compute capability: fill=" + way + " needs 9.0 or higher; use fill=async"));
      EXPECT_THAT(violations(i32_scan(), {"lookahead", {{"emit", way}}}, architecture),
                  ElementsAre("compute capability: emit=" + way + " needs 9.0 or higher; use emit=vectorized"));
    }
    EXPECT_THAT(violations(i32_scan(), {"lookahead", {}}, architecture), IsEmpty());
  }
  for (const char* architecture : {"sm_90", "sm_100", "sm_120"}) {
    for (const char* way : {"bulk", "bulk_once"}) {
      EXPECT_THAT(violations(i32_scan(), {"lookahead", {{"fill", way}, {"emit", way}}}, architecture), IsEmpty());
    }
  }
}

TEST(Lookahead, NeedsAsynchronousCopies) {
  EXPECT_THAT(violations(i32_scan(), {"lookahead", {}}, "sm_75"),
              ElementsAre("compute capability: the schedule lookahead needs 8.0 or higher; use the schedule lookback"));
}

TEST(Lookahead, CountsSharedMemoryThreadsAndRegisters) {
  EXPECT_THAT(violations(i32_scan(), {"lookahead", {{"stages", 18}}}, "sm_90"),
              Contains(StartsWith("shared memory per block (bytes): ")));
  EXPECT_THAT(violations(i32_scan(), {"lookahead", {{"blocks_per_multiprocessor", 2}}}, "sm_90"),
              Contains(StartsWith("shared memory per multiprocessor (bytes): ")));
  EXPECT_THAT(
      violations(i32_scan(),
                 {"lookahead",
                  {{"worker_warps", 28}, {"vectors_per_thread", 1}, {"stages", 4}, {"blocks_per_multiprocessor", 3}}},
                 "sm_90"),
      Contains(StartsWith("threads per multiprocessor: the config needs 2976, but the device has 2048")));
  EXPECT_THAT(
      violations(i32_scan(),
                 {"lookahead", {{"worker_warps", 28}, {"vectors_per_thread", 11}, {"stages", 2}, {"reduce_ahead", 0}}},
                 "sm_90"),
      Contains(StartsWith("registers per thread: the config needs 78, but the device has 66")));
}

// Results that are wider than the items have shared memory of their own.
TEST(Lookahead, CountsSeparateResults) {
  const Config config{"lookahead",
                      {{"worker_warps", 8}, {"vectors_per_thread", 5}, {"stages", 8}, {"reduce_ahead", 2}}};
  EXPECT_THAT(violations(scan_of(Type::i32, Type::i32), config, "sm_90"), IsEmpty());
  EXPECT_THAT(violations(scan_of(Type::i8, Type::i64), config, "sm_90"),
              Contains(StartsWith("shared memory per block (bytes): ")));
}

TEST(Cluster, Needs90) {
  for (const char* architecture : {"sm_75", "sm_80", "sm_86", "sm_89"}) {
    EXPECT_THAT(
        violations(i32_scan(), {"cluster", {{"threads_per_block", 256}}}, architecture),
        ElementsAre("compute capability: the schedule cluster needs 9.0 or higher; use the schedule single_block"));
  }
  for (const char* architecture : {"sm_90", "sm_100", "sm_120"}) {
    for (const std::int64_t blocks : {2, 4, 8}) {
      EXPECT_THAT(violations(i32_scan(), {"cluster", {{"cluster_blocks", blocks}}}, architecture), IsEmpty());
    }
  }
  const Config large{"cluster", {{"cluster_blocks", std::int64_t{16}}}};
  EXPECT_THAT(violations(i32_scan(), large, "sm_90"), IsEmpty());
  EXPECT_THAT(violations(i32_scan(), large, "sm_100"), IsEmpty());
  EXPECT_THAT(violations(i32_scan(), large, "sm_120"),
              ElementsAre("blocks per cluster: the config needs 16, but the device has 8; lower cluster_blocks"));
  EXPECT_THAT(violations(i32_scan(), {"cluster", {{"cluster_blocks", 3}}}, "sm_90"),
              ElementsAre("cluster_blocks=3 is not valid: use one of 2, 4, 8, 16"));
}

TEST(Cluster, CountsSharedMemoryAndVectors) {
  EXPECT_THAT(violations(scan_of(Type::f64, Type::f64),
                         {"cluster", {{"threads_per_block", 1024}, {"items_per_thread", 32}}}, "sm_90"),
              Contains(StartsWith("shared memory per block (bytes): ")));
  EXPECT_THAT(violations(i32_scan(), {"cluster", {{"load", "vectorized"}, {"items_per_thread", 15}}}, "sm_90"),
              Contains(StartsWith("alignment: with load=vectorized")));
}

// Parameters of the machine, in every schedule.
TEST(Machine, DependentLaunchAndBulkPrefetchFrom90On) {
  for (const Problem& problem : {i32_scan(), reduce()}) {
    const Space space(problem, limits_of_architecture("sm_89"));
    for (const Schedule* schedule : space.schedules()) {
      const std::string name(schedule->name());
      EXPECT_THAT(violations(problem, {name, {{"dependent_launch", "yes"}}}, "sm_89"),
                  Contains("compute capability: dependent_launch=yes needs 9.0 or higher; use dependent_launch=no"))
          << name;
      if (name == "sequential" || schedule->is_baseline()) continue;  // have nothing to prefetch with
      EXPECT_THAT(violations(problem, {name, {{"prefetch", "bulk"}}}, "sm_89"),
                  Contains("compute capability: prefetch=bulk needs 9.0 or higher; use prefetch=none"))
          << name;
      EXPECT_THAT(violations(problem, {name, {{"dependent_launch", "yes"}, {"prefetch", "bulk"}}}, "sm_90"), IsEmpty())
          << name;
      EXPECT_THAT(violations(problem, {name, {{"dependent_launch", "no"}, {"prefetch", "none"}}}, "sm_90"), IsEmpty())
          << name;
    }
  }
}

TEST(Machine, NativeArithmeticFrom90OnAndWhereThereIsAny) {
  const Config native{"lookback", {{"arithmetic", "native"}}};
  const Config portable{"lookback", {{"arithmetic", "portable"}}};
  for (const auto& [op, type] : {std::pair{Operator::plus, Type::f16},
                                 {Operator::multiplies, Type::bf16},
                                 {Operator::minimum, Type::bf16},
                                 {Operator::maximum, Type::f32}}) {
    const Problem problem = scan_of(type, type, op);
    EXPECT_THAT(violations(problem, native, "sm_86"),
                ElementsAre("compute capability: arithmetic=native needs 9.0 or higher; use arithmetic=portable"));
    EXPECT_THAT(violations(problem, portable, "sm_86"), IsEmpty());
    EXPECT_THAT(violations(problem, native, "sm_90"), IsEmpty());
  }
  for (const auto& [op, type] : {std::pair{Operator::plus, Type::i32},
                                 {Operator::plus, Type::f32},
                                 {Operator::maximum, Type::f64},
                                 {Operator::last_nonzero, Type::f16}}) {
    EXPECT_THAT(violations(scan_of(type, type, op), native, "sm_90"),
                ElementsAre(testing::StartsWith("unknown parameter 'arithmetic' of schedule lookback: use one of ")));
  }
}

TEST(Packing, OnlyNarrowExtremesHaveIt) {
  for (const auto& [op, type] :
       {std::pair{Operator::plus, Type::i8}, {Operator::maximum, Type::i32}, {Operator::minimum, Type::f16}}) {
    const Problem problem = make_problem(Algorithm::inclusive_scan, op, type, type);
    EXPECT_THAT(violations(problem, {"lookahead", {{"packing", "packed_16x2"}}}, "sm_90"),
                ElementsAre(testing::StartsWith("unknown parameter 'packing' of schedule lookahead: use one of ")));
  }
  Problem widened = make_problem(Algorithm::reduce, Operator::maximum, Type::i8, Type::i8);
  widened.output = Type::i16;
  EXPECT_THAT(violations(widened, {"last_started", {{"packing", "packed_16x2"}}}, "sm_90"),
              ElementsAre(testing::AllOf(
                  testing::StartsWith("unknown parameter 'packing' of schedule last_started: use one of "),
                  testing::HasSubstr("this schedule has packing for other problems, for example reduce "))));
}

TEST(Packing, HalvesByDefaultWhereItIsOneInstruction) {
  const Problem problem = make_problem(Algorithm::reduce, Operator::minimum, Type::u16, Type::u16);
  for (const auto& [architecture, packing] :
       {std::pair{"sm_75", "single"}, {"sm_89", "single"}, {"sm_90", "packed_16x2"}}) {
    const Space space(problem, limits_of_architecture(architecture));
    for (const Schedule* schedule : space.schedules()) {
      if (schedule->name() == "sequential" || schedule->is_baseline()) continue;  // take one value at a time
      EXPECT_EQ(space.complete({std::string(schedule->name()), {}}).name("packing"), packing) << architecture;
    }
  }
  EXPECT_THAT(
      violations(problem, {"last_block", {{"packing", "packed_16x2"}, {"load", "direct"}}}, "sm_90"),
      ElementsAre("packing: packing=packed_16x2 needs accumulate=per_thread and load=vectorized; use packing=single"));
  EXPECT_THAT(
      violations(problem, {"last_block", {{"packing", "packed_16x2"}, {"accumulate", "per_tile"}}}, "sm_90"),
      Contains("packing: packing=packed_16x2 needs accumulate=per_thread and load=vectorized; use packing=single"));
}

TEST(Machine, DefaultsAreWhatTheDeviceCan) {
  for (const auto& [architecture, dependent, arithmetic, prefetch] : {std::tuple{"sm_75", "no", "portable", "none"},
                                                                      {"sm_89", "no", "portable", "none"},
                                                                      {"sm_90", "yes", "native", "bulk"},
                                                                      {"sm_120", "yes", "native", "bulk"}}) {
    for (const Algorithm algorithm : test::scans_and_reduces) {
      const Problem problem = make_problem(algorithm, Operator::maximum, Type::f32, Type::f32);
      const Space space(problem, limits_of_architecture(architecture));
      for (const Schedule* schedule : space.schedules()) {
        const Config config = space.complete({std::string(schedule->name()), {}});
        EXPECT_EQ(config.name("dependent_launch"), dependent) << architecture << to_json(config);
        EXPECT_EQ(config.name("arithmetic"), arithmetic) << architecture << to_json(config);
        if (config.schedule == "sequential" || schedule->is_baseline()) continue;
        EXPECT_EQ(config.name("prefetch"), prefetch) << architecture << to_json(config);
      }
    }
  }
}

}  // namespace
}  // namespace upsweep
