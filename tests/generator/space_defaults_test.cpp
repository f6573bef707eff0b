// Which schedule and which blocks a problem has before anything was measured.
#include <tuple>

#include <gtest/gtest.h>

#include "generator/device_limits.hpp"
#include "generator/space.hpp"

namespace upsweep {
namespace {

Problem sum_of(Algorithm algorithm, Type type, std::uint64_t size) {
  return make_problem(algorithm, Operator::plus, type, type, size);
}

// Crossovers in bytes of input, and in items (docs/measurements.md, "Defaults").
TEST(SpaceDefaults, ScheduleGoesByBytesAndItems) {
  const auto schedule = [](Algorithm algorithm, Type type, std::uint64_t size, const char* architecture = "sm_90") {
    return Space(sum_of(algorithm, type, size), limits_of_architecture(architecture)).default_config().schedule;
  };
  const auto scan = Algorithm::inclusive_scan;
  EXPECT_EQ(schedule(scan, Type::i32, 4 << 10), "single_block");
  EXPECT_EQ(schedule(scan, Type::i32, (4 << 10) + 1), "cluster");
  EXPECT_EQ(schedule(scan, Type::i32, 8 << 10), "cluster");
  EXPECT_EQ(schedule(scan, Type::i32, (8 << 10) + 1), "lookback");
  EXPECT_EQ(schedule(scan, Type::i32, 8 << 10, "sm_89"), "single_block");
  EXPECT_EQ(schedule(scan, Type::i32, (8 << 10) + 1, "sm_89"), "lookback");
  EXPECT_EQ(schedule(scan, Type::i8, 8 << 10), "single_block") << "by items where they are narrow";
  EXPECT_EQ(schedule(scan, Type::i8, (8 << 10) + 1), "lookback");
  EXPECT_EQ(schedule(scan, Type::f64, 2 << 10), "single_block");
  EXPECT_EQ(schedule(scan, Type::f64, (2 << 10) + 1), "cluster");
  EXPECT_EQ(schedule(scan, Type::c128, 512), "single_block");
  EXPECT_EQ(schedule(scan, Type::c128, 1 << 10), "cluster");
  EXPECT_EQ(schedule(scan, Type::c128, (1 << 10) + 1), "lookback");
  EXPECT_EQ(schedule(scan, Type::c128, 2 << 10, "sm_89"), "single_block");
  EXPECT_EQ(schedule(scan, Type::i32, (128 << 10) - 1), "lookback");
  EXPECT_EQ(schedule(scan, Type::i32, 128 << 10), "all_aggregates");
  EXPECT_EQ(schedule(scan, Type::i32, 128 << 10, "sm_89"), "lookback");
  EXPECT_EQ(schedule(scan, Type::i32, (3 << 19) - 1), "all_aggregates");
  EXPECT_EQ(schedule(scan, Type::i32, 3 << 19), "lookahead");
  EXPECT_EQ(schedule(scan, Type::i16, (2 << 20) - 1), "all_aggregates");
  EXPECT_EQ(schedule(scan, Type::i16, 2 << 20), "lookahead");
  EXPECT_EQ(schedule(scan, Type::i8, (1 << 20) - 1), "lookback");
  EXPECT_EQ(schedule(scan, Type::i8, 1 << 20), "all_aggregates");
  EXPECT_EQ(schedule(scan, Type::i8, (1 << 20) + 1), "lookahead");
  EXPECT_EQ(schedule(scan, Type::i8, 6 << 20, "sm_89"), "lookback");
  EXPECT_EQ(schedule(Algorithm::reduce, Type::f32, 16 << 10), "single_block");
  EXPECT_EQ(schedule(Algorithm::reduce, Type::f32, (16 << 10) + 1), "last_started");
  const auto of_partition = [](Type type, std::uint64_t size, const char* architecture = "sm_90") {
    const Problem problem = make_problem(Algorithm::stable_partition, less, type, Type::u64, size);
    return Space(problem, limits_of_architecture(architecture)).default_config().schedule;
  };
  EXPECT_EQ(of_partition(Type::i32, 2 << 10), "single_block") << "it counts the items in the same launch";
  EXPECT_EQ(of_partition(Type::i32, (2 << 10) + 1), "cluster");
  EXPECT_EQ(of_partition(Type::i64, 16 << 10), "cluster");
  EXPECT_EQ(of_partition(Type::i64, (16 << 10) + 1), "all_aggregates");
  EXPECT_EQ(of_partition(Type::i32, 16 << 10, "sm_89"), "lookback");
}

// Measured in parts of an H200: several blocks where the multiprocessors get many bytes each, and fast.
TEST(SpaceDefaults, BlocksOfReductionsGoByTheBandwidthOfAMultiprocessor) {
  DeviceLimits limits = limits_of_architecture("sm_90");
  limits.memory_gb_per_second = 4814;
  const auto threads = [&](int multiprocessors, std::uint64_t size) {
    const Config config =
        Space(sum_of(Algorithm::reduce, Type::f32, size), limits_of_part(limits, multiprocessors)).default_config();
    return config.integer("threads_per_block");
  };
  EXPECT_EQ(threads(132, 1 << 24), 1024);
  EXPECT_EQ(threads(8, 1 << 24), 256);
  EXPECT_EQ(threads(16, 1 << 24), 448) << "4 MiB each";
  EXPECT_EQ(threads(32, 1 << 24), 256);
  EXPECT_EQ(threads(64, 1 << 20), 256);
  EXPECT_EQ(threads(64, 1 << 19), 1024) << "as on all of the GPU: few bytes each";
  limits.memory_gb_per_second = 0;
  EXPECT_EQ(threads(16, 1 << 24), 1024) << "not known";
}

// Parts of a GPU: blocks that wait for a place take their shares where multiprocessors are free first.
TEST(SpaceDefaults, LargeReductionsInPartsTakeSharesOneByOne) {
  DeviceLimits limits = limits_of_architecture("sm_90");
  limits.memory_gb_per_second = 4814;
  const DeviceLimits part = limits_of_part(limits, 16);
  for (const Type type : {Type::i8, Type::f16, Type::i32, Type::f64, Type::c128}) {
    const Problem problem = sum_of(Algorithm::reduce, type, (std::uint64_t{1} << 28) / size_of(type));
    const Space space(problem, part);
    const Config config = space.default_config();
    EXPECT_EQ(config.schedule, "last_block") << to_string(problem);
    EXPECT_EQ(config.integer("blocks_per_multiprocessor"), 32) << to_string(problem);
    EXPECT_THAT(space.violations(config), testing::IsEmpty()) << to_string(problem);
  }
  const auto schedule = [&](const DeviceLimits& of, std::uint64_t size) {
    return Space(sum_of(Algorithm::reduce, Type::f32, size), of).default_config().schedule;
  };
  EXPECT_EQ(schedule(part, 1 << 25), "last_started");
  EXPECT_EQ(schedule(limits_of_part(limits, 8), 1 << 28), "last_started") << "each has the same bandwidth";
  EXPECT_EQ(schedule(limits, 1 << 30), "last_started");
}

// One block, or a cluster, has a place for every item and hardly more; narrow items are read as they lie.
TEST(SpaceDefaults, BlocksFitFewItems) {
  const auto fitting = [](Type type, std::uint64_t size) {
    const Config config =
        Space(sum_of(Algorithm::exclusive_scan, type, size), limits_of_architecture("sm_90")).default_config();
    const std::int64_t blocks = config.schedule == "cluster" ? config.integer("cluster_blocks") : 1;
    return std::tuple(config.integer("threads_per_block"),
                      blocks * config.integer("threads_per_block") * config.integer("items_per_thread"),
                      config.name("load"));
  };
  using Fit = std::tuple<std::int64_t, std::int64_t, std::string>;
  EXPECT_EQ(fitting(Type::i8, 1), Fit(64, 1024, "vectorized"));
  EXPECT_EQ(fitting(Type::f16, 1025), Fit(128, 2048, "vectorized"));
  EXPECT_EQ(fitting(Type::i32, 1024), Fit(64, 1024, "warp_transpose"));
  EXPECT_EQ(fitting(Type::i32, 8192), Fit(256, 8192, "vectorized"));
  EXPECT_EQ(fitting(Type::i64, 2048), Fit(256, 2048, "warp_transpose"));
  EXPECT_EQ(fitting(Type::c128, 1024), Fit(128, 1024, "direct"));
}

// Short rows that are scanned by few blocks, and neighbouring lengths of rows that are reduced.
TEST(SpaceDefaults, RowsOfFewItemsAndOfNeighbouringLengths) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  const auto rows = [](Algorithm algorithm, std::uint64_t count, std::uint64_t length) {
    return in_rows(sum_of(algorithm, Type::f32, 0), count, length);
  };
  const auto schedule = [&](std::uint64_t count, std::uint64_t length) {
    return Space(rows(Algorithm::inclusive_scan, count, length), limits).default_config().schedule;
  };
  EXPECT_EQ(schedule(4, 1024), "row_blocks");
  EXPECT_EQ(schedule(61, 67), "row_blocks");
  EXPECT_EQ(schedule(16, 64), "single_block");  // one tile
  EXPECT_EQ(schedule(2, 4096), "cluster");
  EXPECT_EQ(schedule(4, 5000), "row_blocks");  // of the class of 4096
  EXPECT_EQ(schedule(4, 6000), "lookback");    // longer than a tile
  EXPECT_EQ(schedule(16, 4096), "row_blocks");
  EXPECT_EQ(schedule(1, 4096), "single_block");
  EXPECT_EQ(schedule(1 << 16, 64), "lookahead");
  const auto wide = [&](std::uint64_t count, std::uint64_t length) {
    const Problem problem = in_rows(sum_of(Algorithm::inclusive_scan, Type::i64, 0), count, length);
    return Space(problem, limits).default_config().schedule;
  };
  EXPECT_EQ(wide(1 << 14, 64), "row_blocks");
  EXPECT_EQ(wide(1 << 11, 1000), "row_blocks");
  EXPECT_EQ(wide(1 << 16, 64), "lookahead");
  EXPECT_EQ(wide(1 << 8, 4096), "lookahead");
  const auto tile = [&](std::uint64_t count, std::uint64_t length) {
    const Config config = Space(rows(Algorithm::inclusive_scan, count, length), limits).default_config();
    return std::pair(config.integer("threads_per_block"), config.integer("items_per_thread"));
  };
  EXPECT_EQ(tile(256, 16), std::pair(std::int64_t{128}, std::int64_t{4}));
  EXPECT_EQ(tile(1 << 13, 64), tile(256, 16));
  EXPECT_EQ(tile(1 << 14, 64), std::pair(std::int64_t{128}, std::int64_t{8})) << "there are many tiles";
  EXPECT_EQ(tile(1 << 10, 1024), std::pair(std::int64_t{256}, std::int64_t{4}));
  EXPECT_EQ(tile(1 << 8, 4096), std::pair(std::int64_t{256}, std::int64_t{16})) << "a row is a tile";
  EXPECT_EQ(tile(32, 724), std::pair(std::int64_t{256}, std::int64_t{4}));
  EXPECT_EQ(tile(32, 1024), std::pair(std::int64_t{256}, std::int64_t{4}));
  EXPECT_EQ(tile(16, 4096), std::pair(std::int64_t{512}, std::int64_t{8}));
  EXPECT_EQ(tile(1 << 9, 2048), std::pair(std::int64_t{256}, std::int64_t{8}));
  const auto of_reduce = [&](std::uint64_t length) {
    return Space(rows(Algorithm::reduce, (1 << 26) / length, length), limits).complete({"row_groups", {}});
  };
  EXPECT_EQ(of_reduce(67), of_reduce(64));
  EXPECT_EQ(of_reduce(4097), of_reduce(4096));
  EXPECT_NE(of_reduce(5001), of_reduce(20000));
}

// Blocks that fold rows alone have more items for each thread where these are wide and many; pieces are of 256 KiB
// where that leaves several for each multiprocessor.
TEST(SpaceDefaults, PiecesOfLongRows) {
  const auto pieces = [](Type type, std::uint64_t count, std::uint64_t length) {
    const Problem problem = in_rows(sum_of(Algorithm::reduce, type, 0), count, length);
    const Space space(problem, limits_of_architecture("sm_90"));
    EXPECT_EQ(space.default_config().schedule, "row_pieces") << to_string(problem);
    EXPECT_THAT(space.violations(space.default_config()), testing::IsEmpty()) << to_string(problem);
    const Config config = space.default_config();
    return std::pair(config.integer("items_per_thread"), config.integer("tiles_per_piece"));
  };
  using Piece = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(pieces(Type::f32, 64, 1 << 20), Piece(16, 16));
  EXPECT_EQ(pieces(Type::i64, 64, 1 << 20), Piece(16, 8));
  EXPECT_EQ(pieces(Type::f32, 1, 1 << 22), Piece(16, 2));
  EXPECT_EQ(pieces(Type::i64, 256, 1 << 12), Piece(16, 1));
  EXPECT_EQ(pieces(Type::i64, 16, 1 << 12), Piece(8, 1)) << "few items";
}

}  // namespace
}  // namespace upsweep
