// Default configs of reductions by key.
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"

namespace upsweep {
namespace {

Problem by_key(Type value, Type key, std::uint64_t size) {
  Problem problem = make_problem(Algorithm::reduce_by_key, plus, value, value, size);
  problem.key = key;
  return problem;
}

// What widens has as many tiles as the wider type fills.
TEST(SpaceByKey, ReductionsByKeyTakeLargeTilesWhereTheyFit) {
  using Tile = std::pair<std::int64_t, std::int64_t>;  // items per thread, minimum of blocks
  const auto tile = [](Type value, Type key, std::uint64_t size, const char* architecture = "sm_90") {
    const Problem problem = by_key(value, key, size);
    const Config config = Space(problem, limits_of_architecture(architecture)).complete({"lookback", {}});
    return Tile(config.integer("items_per_thread"), config.integer("minimum_blocks"));
  };
  constexpr std::uint64_t some = 1 << 22, many = 1 << 28;
  EXPECT_EQ(tile(Type::f64, Type::u32, some), Tile(15, 3));
  EXPECT_EQ(tile(Type::f64, Type::u32, many), Tile(27, 2));
  EXPECT_EQ(tile(Type::f32, Type::u32, some), Tile(19, 3));
  EXPECT_EQ(tile(Type::i64, Type::u64, some), Tile(11, 3));
  EXPECT_EQ(tile(Type::i64, Type::u64, 1'000'001), Tile(11, 3));
  EXPECT_EQ(tile(Type::i64, Type::u64, 1 << 19), Tile(4, 1));
  EXPECT_EQ(tile(Type::i64, Type::u64, many), Tile(23, 2));
  // Narrower and wider ones, and where two such blocks do not fit.
  EXPECT_EQ(tile(Type::f64, Type::u8, many), Tile(12, 1));
  EXPECT_EQ(tile(Type::c128, Type::u32, many), Tile(6, 1));
  EXPECT_EQ(tile(Type::f64, Type::u32, many, "sm_86"), Tile(12, 1));
}

TEST(SpaceByKey, LargeReductionsByKeyLookAhead) {
  const auto schedule = [](Type value, Type key, std::uint64_t size, const char* architecture = "sm_90") {
    return Space(by_key(value, key, size), limits_of_architecture(architecture)).default_config().schedule;
  };
  // From 64 MiB of keys and values on.
  EXPECT_EQ(schedule(Type::i64, Type::u64, (1 << 22) - 1), "lookback");
  EXPECT_EQ(schedule(Type::i64, Type::u64, 1 << 22), "lookahead");
  EXPECT_EQ(schedule(Type::f32, Type::u32, (1 << 23) - 1), "lookback");
  EXPECT_EQ(schedule(Type::f32, Type::u32, 1 << 23), "lookahead");
  EXPECT_EQ(schedule(Type::i64, Type::u32, 1 << 28), "lookahead");
  EXPECT_EQ(schedule(Type::f64, Type::u32, 1 << 28), "lookback");
  EXPECT_EQ(schedule(Type::i32, Type::u64, 1 << 28), "lookback");
  EXPECT_EQ(schedule(Type::f64, Type::u8, 1 << 28), "lookback");
  EXPECT_EQ(schedule(Type::c128, Type::u32, 1 << 28), "lookback");
  EXPECT_EQ(schedule(Type::i64, Type::u64, 1 << 28, "sm_86"), "lookback");
  for (const auto& [value, key] : {std::pair{Type::i32, Type::u32}, {Type::i64, Type::u32}, {Type::u64, Type::u64}}) {
    const Config config = Space(by_key(value, key, 1 << 28), limits_of_architecture("sm_90")).default_config();
    EXPECT_EQ(config.name("emit"), "vectorized");
    EXPECT_EQ(config.integer("worker_warps"), 8);
    EXPECT_EQ(config.integer("vectors_per_thread"), 7);
    EXPECT_EQ(config.integer("stages"), 4);
    EXPECT_EQ(config.integer("states_per_lane"), 2);
  }
}

TEST(SpaceByKey, DefaultsOfReductionsByKeyAreValid) {
  for (const char* architecture : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    for (const Type value : {Type::i8, Type::f16, Type::f32, Type::i64, Type::c128}) {
      for (const Type key : {Type::u8, Type::u16, Type::u32, Type::u64}) {
        for (const std::uint64_t size : {1ull, 1ull << 20, 1ull << 22, 1ull << 33}) {
          const Space space(by_key(value, key, size), limits_of_architecture(architecture));
          EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>{})
              << architecture << ' ' << name(value) << " by " << name(key) << ", " << size;
        }
      }
    }
  }
}

TEST(SpaceByKey, ManyRunLengthsLookAhead) {
  const auto schedule = [](Type type, std::uint64_t size) {
    Problem problem = problem_of(Algorithm::run_length_encode, equal_to, type, {}, {});
    problem.size = size;
    return Space(problem, limits_of_architecture("sm_90")).default_config().schedule;
  };
  EXPECT_EQ(schedule(Type::u8, 1 << 20), "lookback");
  EXPECT_EQ(schedule(Type::u8, (1 << 20) + 1), "lookahead");
  EXPECT_EQ(schedule(Type::u32, (3 << 19) - 1), "lookback");
  EXPECT_EQ(schedule(Type::u32, 3 << 19), "lookahead");
  EXPECT_EQ(schedule(Type::u64, (3 << 18) - 1), "all_aggregates");
  EXPECT_EQ(schedule(Type::u64, 3 << 18), "lookahead");
}

// By what was measured on H100s (generator/schedules/lookahead_ring.cpp).
TEST(SpaceByKey, NarrowSelectionsAndWideScansByKeyHaveShapesOfTheirOwn) {
  using Shape = std::vector<std::int64_t>;
  const auto shape = [](Algorithm algorithm, Operator op, Type type, std::uint64_t size = 1 << 28) {
    Problem problem = problem_of(algorithm, op, type, {}, {});
    problem.size = size;
    const Config config = Space(problem, limits_of_architecture("sm_90")).complete({"lookahead", {}});
    return Shape{config.integer("worker_warps"), config.integer("vectors_per_thread"), config.integer("stages"),
                 config.integer("reduce_ahead"), config.integer("states_per_lane")};
  };
  EXPECT_EQ(shape(Algorithm::select_if, less, Type::i8), (Shape{16, 5, 5, 2, 2}));
  EXPECT_EQ(shape(Algorithm::select_if, less, Type::i8, 1 << 24), (Shape{28, 3, 5, 2, 2}));
  EXPECT_EQ(shape(Algorithm::partition, less, Type::u8, 1 << 24), (Shape{28, 3, 5, 2, 2}));
  EXPECT_EQ(shape(Algorithm::three_way_partition, less, Type::u8), (Shape{12, 5, 6, 4, 5}));
  EXPECT_EQ(shape(Algorithm::select_if, less, Type::i8, 1 << 21), (Shape{16, 3, 9, 3, 5}));
  EXPECT_EQ(shape(Algorithm::select_if, less, Type::i16), (Shape{12, 5, 7, 4, 5}));
  EXPECT_EQ(shape(Algorithm::unique, equal_to, Type::u8), (Shape{14, 5, 4, 2, 2}));
  EXPECT_EQ(shape(Algorithm::unique, equal_to, Type::u32), (Shape{12, 5, 7, 4, 5}));
  EXPECT_EQ(shape(Algorithm::unique, equal_to, Type::u64, 1 << 24), (Shape{8, 9, 6, 3, 5}));
  EXPECT_EQ(shape(Algorithm::run_length_encode, equal_to, Type::u8), (Shape{14, 5, 4, 2, 2}));
  EXPECT_EQ(shape(Algorithm::run_length_encode, equal_to, Type::u32), (Shape{8, 11, 4, 2, 4}));
  EXPECT_EQ(shape(Algorithm::run_length_encode, equal_to, Type::u32, 1 << 24), (Shape{8, 11, 4, 2, 4}));
  EXPECT_EQ(shape(Algorithm::nontrivial_runs, equal_to, Type::u32), (Shape{14, 7, 4, 2, 2}));
  EXPECT_EQ(shape(Algorithm::nontrivial_runs, equal_to, Type::u32, 1 << 24), (Shape{16, 5, 5, 3, 5}));
  EXPECT_EQ(shape(Algorithm::nontrivial_runs, equal_to, Type::u8, 1 << 24), (Shape{14, 5, 4, 2, 2}));
  EXPECT_EQ(shape(Algorithm::inclusive_scan_by_key, plus, Type::f64), (Shape{8, 7, 5, 3, 5}));
  EXPECT_EQ(shape(Algorithm::exclusive_scan_by_key, plus, Type::u64, 1 << 22), (Shape{12, 3, 8, 4, 4}));
  EXPECT_EQ(shape(Algorithm::three_way_partition, less, Type::i32), (Shape{16, 5, 4, 2, 2}));
  EXPECT_EQ(shape(Algorithm::three_way_partition, less, Type::i64), (Shape{12, 5, 6, 4, 5}));
  EXPECT_EQ(shape(Algorithm::three_way_partition, less, Type::i32, 1 << 22), (Shape{12, 5, 6, 3, 5}));
  EXPECT_EQ(shape(Algorithm::stable_partition, less, Type::f32), (Shape{12, 7, 4, 2, 2}));
  EXPECT_EQ(shape(Algorithm::stable_partition, less, Type::i64), (Shape{8, 9, 5, 3, 4}));
}

// Likewise: tiles of a few items per thread, all of which run at once.
TEST(SpaceByKey, SelectionsOfFewItemsHaveSmallTiles) {
  const auto by_default = [](Algorithm algorithm, Operator op, Type type, std::uint64_t size) {
    Problem problem = problem_of(algorithm, op, type, {}, {});
    problem.size = size;
    return Space(problem, limits_of_architecture("sm_90")).default_config();
  };
  for (const auto& [type, size, items] :
       {std::tuple{Type::i32, 1 << 14, 1}, {Type::i32, 1 << 16, 4}, {Type::u8, 1 << 17, 8}, {Type::i64, 1 << 15, 2}}) {
    const Config config = by_default(Algorithm::select_if, less, type, static_cast<std::uint64_t>(size));
    EXPECT_EQ(config.schedule, "all_aggregates") << name(type) << " " << size;
    EXPECT_EQ(config.integer("threads_per_block"), 128);
    EXPECT_EQ(config.integer("items_per_thread"), items);
  }
  EXPECT_EQ(by_default(Algorithm::partition, less, Type::i64, 1 << 16).schedule, "all_aggregates") << "as scans";
  EXPECT_NE(by_default(Algorithm::partition, less, Type::i64, 1 << 16).integer("threads_per_block"), 128);
  EXPECT_EQ(by_default(Algorithm::nonzero, not_equal_to, Type::i32, 1 << 16).schedule, "lookback") << "wide indices";
  EXPECT_EQ(by_default(Algorithm::select_if, less, Type::u8, (1 << 17) + 1).schedule, "lookback");
}

}  // namespace
}  // namespace upsweep
