// The defaults of the schedule lookahead by what a device has: multiprocessors, and memory bandwidth for each of them.
#include <gtest/gtest.h>

#include "generator/space.hpp"

namespace upsweep {
namespace {

// An H200, or as many of its multiprocessors.
DeviceLimits limits_of_part(int multiprocessors) {
  DeviceLimits limits = limits_of_architecture("sm_90");
  limits.multiprocessors = multiprocessors;
  limits.memory_gb_per_second = 4814;
  return limits;
}

using Counts = std::vector<std::int64_t>;

Counts shape_of(const Problem& problem, const DeviceLimits& limits) {
  const Config config = Space(problem, limits).complete({"lookahead", {}});
  return Counts{config.integer("worker_warps"), config.integer("vectors_per_thread"), config.integer("stages"),
                config.integer("reduce_ahead"), config.integer("states_per_lane")};
}

Problem sum_of_i32(std::uint64_t size) {
  return make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, size);
}

TEST(SpaceLookahead, FewMultiprocessorsLookLessFarAhead) {
  const Problem large = sum_of_i32(1 << 26);
  EXPECT_EQ(shape_of(large, limits_of_part(132)), (Counts{12, 5, 7, 4, 5}));
  EXPECT_EQ(shape_of(large, limits_of_part(64)), (Counts{12, 5, 7, 3, 2}));
  EXPECT_EQ(shape_of(large, limits_of_part(32)), (Counts{12, 5, 7, 3, 1}));
  EXPECT_EQ(shape_of(large, limits_of_part(8)), (Counts{10, 9, 5, 2, 1}));
  EXPECT_EQ(shape_of(sum_of_i32(1 << 20), limits_of_part(8)), (Counts{10, 9, 5, 2, 1}));
  EXPECT_EQ(shape_of(sum_of_i32((1 << 20) - 1), limits_of_part(8)), (Counts{16, 3, 9, 2, 1}));
}

TEST(SpaceLookahead, UnknownMemoryIsThatOfLargeDevices) {
  DeviceLimits untold = limits_of_part(132);
  untold.memory_gb_per_second = 0;
  EXPECT_EQ(shape_of(sum_of_i32(1 << 26), untold), (Counts{12, 5, 7, 4, 5}));
}

// All blocks at once, with as few descriptors per lane as that takes.
TEST(SpaceLookahead, TheLookAheadWarpSeesATileOfEachBlock) {
  for (const auto& [multiprocessors, states] :
       {std::pair(1, 1), {32, 1}, {33, 2}, {64, 2}, {108, 4}, {128, 4}, {129, 5}, {160, 5}, {188, 8}, {400, 8}}) {
    EXPECT_EQ(shape_of(sum_of_i32(1 << 26), limits_of_part(multiprocessors)).back(), states) << multiprocessors;
  }
}

TEST(SpaceLookahead, DefaultsAreValidInEveryPart) {
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::select_if, Algorithm::three_way_partition,
                                    Algorithm::stable_partition, Algorithm::run_length_encode}) {
    const bool is_scan = algorithm == Algorithm::inclusive_scan, is_runs = algorithm == Algorithm::run_length_encode;
    const Operator op = is_scan ? plus : is_runs ? Operator::equal_to : Operator::less;
    for (const Type type : {Type::u8, Type::i32, Type::f64}) {
      Problem problem = make_problem(algorithm, op, type, is_scan ? type : is_runs ? Type::u32 : Type::u64, 1 << 28);
      for (const int multiprocessors : {1, 8, 16, 64, 132}) {
        const Space space(problem, limits_of_part(multiprocessors));
        EXPECT_TRUE(space.contains(space.complete({"lookahead", {}}))) << to_string(problem) << multiprocessors;
      }
    }
  }
}

}  // namespace
}  // namespace upsweep
