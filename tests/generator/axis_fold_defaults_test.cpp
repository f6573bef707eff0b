// The schedules and configs that reduces along an axis have by default.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include <gtest/gtest.h>
#include <upsweep/axis.hpp>

#include "generator/algorithm.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/axis_defaults.hpp"
#include "tests/support/bandwidth.hpp"

namespace upsweep {
namespace {

// Blocks have all rows of their columns, where there are few items or enough columns.
TEST(AxisFoldDefaults, DefaultsOfReducesDependOnTheColumns) {
  constexpr std::uint64_t many = 1 << 26;
  const DeviceLimits whole = limits_of_architecture("sm_90");
  const auto schedule = [&](std::uint64_t size, std::uint64_t length, std::uint64_t inner, Type type = Type::f32) {
    return test::default_along(Algorithm::reduce, size, length, inner, whole, type);
  };
  EXPECT_EQ(schedule(1 << 12, 1024, 4), "axis_blocks");
  EXPECT_EQ(schedule(1 << 20, 1 << 13, 4), "axis_blocks");
  EXPECT_EQ(schedule(1 << 20, 1 << 14, 4), "axis_pieces");
  EXPECT_EQ(schedule(1 << 22, 1 << 14, 16), "axis_blocks");
  EXPECT_EQ(schedule(1 << 22, 1 << 16, 16), "axis_shares");
  EXPECT_EQ(schedule(1 << 24, 1 << 16, 16), "axis_shares");
  EXPECT_EQ(schedule(many, 64, 1000), "axis_blocks");
  EXPECT_EQ(schedule(many, 4096, 16), "axis_blocks");
  EXPECT_EQ(schedule(many, 1 << 16, 4), "axis_blocks");
  EXPECT_EQ(schedule(many, 1 << 16, 64), "axis_shares");
  EXPECT_EQ(schedule(many, 1 << 16, 1024), "axis_pieces");
  EXPECT_EQ(schedule(many, 1 << 20, 4), "axis_shares");
  EXPECT_EQ(schedule(many, 4096, 1024, Type::i8), "axis_blocks");
  // Rows that are no whole vectors.
  EXPECT_EQ(schedule(1 << 20, 64, 67), "axis_blocks");
  EXPECT_EQ(schedule(1 << 21, 64, 67), "axis_shares");
  EXPECT_EQ(schedule(many, 64, 200), "axis_blocks");
  EXPECT_EQ(schedule(many, 64, 201), "axis_pieces");
  EXPECT_EQ(schedule(many, 64, 1001), "axis_blocks");
  EXPECT_EQ(schedule(many, 64, 1001, Type::f16), "axis_pipeline");
  EXPECT_EQ(schedule(many, 64, 1000, Type::i8), "axis_pipeline") << "rows of 8 bytes";
  EXPECT_EQ(schedule(many, 64, 1024, Type::i8), "axis_blocks");
  EXPECT_EQ(schedule(many, 4, 1001), "axis_pipeline");
  EXPECT_EQ(schedule(many, 3, 22'369'621), "axis_pipeline");
  EXPECT_EQ(schedule(many, 8, 1001), "axis_columns");
  EXPECT_EQ(schedule(many, 4, 67), "axis_shares");
  EXPECT_EQ(schedule(1 << 25, 4, 1001, Type::i64), "axis_columns");
  EXPECT_EQ(schedule(many, 1 << 13, 1001, Type::f16), "axis_pieces") << "8 arrays";
  EXPECT_EQ(schedule(1 << 23, 64, 1001, Type::f16), "axis_pieces") << "few items";
  // Of few multiprocessors that have much bandwidth each.
  DeviceLimits part = whole;
  part.multiprocessors = 16;
  part.memory_gb_per_second = 4800;
  EXPECT_EQ(test::default_along(Algorithm::reduce, many, 64, 67, part), "axis_pieces");
  EXPECT_EQ(test::default_along(Algorithm::reduce, many, 3, 22'369'621, part), "axis_columns");
  EXPECT_EQ(test::default_along(Algorithm::reduce, 1 << 16, 4096, 4, limits_of_architecture("sm_80")), "axis_blocks");
}

// An H200 has more bandwidth for each multiprocessor than an H100. A part of an H100 has more still.
TEST(AxisFoldDefaults, DefaultsOfReducesDependOnTheMemory) {
  constexpr std::uint64_t many = 1 << 26;
  const DeviceLimits h100 = test::with_bandwidth(3350), h200 = test::with_bandwidth(4800);
  EXPECT_EQ(test::default_along(Algorithm::reduce, 1 << 25, 64, 4, limits_of_part(h100, 64), Type::i64), "axis_blocks");
  const auto fold = [&](std::uint64_t size, std::uint64_t length, std::uint64_t inner, Type type = Type::f32) {
    return std::pair(test::default_along(Algorithm::reduce, size, length, inner, h100, type),
                     test::default_along(Algorithm::reduce, size, length, inner, h200, type));
  };
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(fold(many, 1 << 15, 64), (Pair{"axis_blocks", "axis_shares"})) << "64 panels for 132 multiprocessors";
  EXPECT_EQ(fold(many, 1 << 16, 16), (Pair{"axis_blocks", "axis_blocks"})) << "64 narrow panels";
  EXPECT_EQ(fold(many, 1 << 15, 1024), (Pair{"axis_blocks", "axis_blocks"})) << "rows too wide for axis_shares";
  EXPECT_EQ(fold(1 << 25, 64, 4, Type::i64), (Pair{"axis_blocks", "axis_shares"}));
  EXPECT_EQ(fold(1 << 25, 64, 8, Type::i64), (Pair{"axis_blocks", "axis_blocks"}));
  EXPECT_EQ(fold(1 << 25, 256, 4, Type::i64), (Pair{"axis_blocks", "axis_blocks"}));
  EXPECT_EQ(fold(many, 16, 4), (Pair{"axis_blocks", "axis_shares"}));
  EXPECT_EQ(fold(many, 16, 8), (Pair{"axis_blocks", "axis_shares"}));
  EXPECT_EQ(fold(many, 64, 4), (Pair{"axis_blocks", "axis_blocks"}));
  EXPECT_EQ(fold(many, 4096, 64), (Pair{"axis_blocks", "axis_blocks"}));
  EXPECT_EQ(fold(many, 512, 203), (Pair{"axis_pieces", "axis_blocks"}));
  EXPECT_EQ(fold(many, 1 << 14, 203), (Pair{"axis_pieces", "axis_blocks"})) << "128 panels of 32 columns";
  EXPECT_EQ(fold(many, 1 << 15, 203), (Pair{"axis_pieces", "axis_pieces"})) << "64 panels";
  EXPECT_EQ(fold(1 << 25, 64, 203, Type::i64), (Pair{"axis_pieces", "axis_blocks"}));
  EXPECT_EQ(fold(1 << 27, 1000, 1001, Type::f16), (Pair{"axis_pipeline", "axis_blocks"})) << "134 arrays";
  EXPECT_EQ(fold(1 << 27, 256, 1001, Type::f16), (Pair{"axis_pipeline", "axis_pipeline"})) << "shorter axes";
  EXPECT_EQ(fold(1 << 27, 4096, 1001, Type::f16), (Pair{"axis_pipeline", "axis_blocks"})) << "32 arrays, narrow panels";
  EXPECT_EQ(fold(1 << 27, 1 << 14, 1001, Type::f16), (Pair{"axis_pieces", "axis_blocks"}));
  EXPECT_EQ(fold(1 << 27, 1000, 3001, Type::f16), (Pair{"axis_pipeline", "axis_pipeline"})) << "44 arrays";
  EXPECT_EQ(fold(1 << 27, 512, 203, Type::f16), (Pair{"axis_pipeline", "axis_pipeline"})) << "1291 arrays";
  EXPECT_EQ(fold(many, 3, 100), (Pair{"axis_blocks", "axis_blocks"})) << "rows that fill vectors";
  EXPECT_EQ(fold(many, 64, 203), (Pair{"axis_pieces", "axis_columns"}));
  EXPECT_EQ(fold(many, 128, 203), (Pair{"axis_pieces", "axis_blocks"}));
  EXPECT_EQ(fold(1 << 25, 32, 203, Type::i64), (Pair{"axis_pieces", "axis_columns"}));
  EXPECT_EQ(fold(many, 64, 1001), (Pair{"axis_blocks", "axis_blocks"}));
}

// One column per thread, of which it loads 64 bytes at a time; more threads where axes are longer.
TEST(AxisFoldDefaults, BlocksFoldSingleColumnsOfRowsThatFillNoVectors) {
  using Values = std::map<std::string, std::int64_t>;
  const auto values = [](Type type, std::uint64_t length, std::uint64_t inner, std::uint64_t size = 0) {
    Problem problem = along_axis(make_problem(Algorithm::reduce, plus, type, type), axis(1, length, inner));
    problem.size = size != 0 ? size : (1 << 28) / size_of(type);
    const Config config = Space(problem, test::with_bandwidth(4800)).default_config();
    EXPECT_EQ(config.schedule, "axis_blocks") << name(type) << ", " << length << " x " << inner;
    Values found;
    for (const char* parameter : {"columns_per_thread", "items_per_thread", "panel_width", "threads_per_block"}) {
      found[parameter] = std::get<std::int64_t>(config.values.at(parameter));
    }
    return found;
  };
  const auto expected = [](std::int64_t threads, std::int64_t rows) {
    return Values{
        {"columns_per_thread", 1}, {"items_per_thread", rows}, {"panel_width", 32}, {"threads_per_block", threads}};
  };
  EXPECT_EQ(values(Type::f32, 128, 1001), expected(256, 16));
  EXPECT_EQ(values(Type::i32, 1000, 1001), expected(256, 16));
  EXPECT_EQ(values(Type::f32, 4096, 1001), expected(512, 16));
  EXPECT_EQ(values(Type::f64, 64, 203), expected(128, 8));
  EXPECT_EQ(values(Type::f64, 1000, 1001), expected(256, 8));
  EXPECT_EQ(values(Type::i64, 8192, 1001), expected(512, 8));
  EXPECT_EQ(values(Type::f16, 1000, 1001), expected(256, 32));
  EXPECT_EQ(values(Type::f32, 1000, 1000).at("columns_per_thread"), 4) << "rows that fill vectors";
  EXPECT_EQ(values(Type::f32, 64, 1001).at("columns_per_thread"), 4) << "short axes";
  EXPECT_EQ(values(Type::f32, 1000, 1001, 1 << 20).at("columns_per_thread"), 4) << "few items";
}

// Reduces along long axes have many runs to load.
TEST(AxisFoldDefaults, TwoWarpsLoadLongAxesOfReduces) {
  const auto loader_warps = [](Algorithm algorithm, std::uint64_t length) {
    Problem problem = along_axis(make_problem(algorithm, plus, Type::i8, Type::i8), axis(1, length, 1001));
    problem.size = 1 << 28;
    const Config config = Space(problem, test::with_bandwidth(4800)).default_config();
    EXPECT_EQ(config.schedule, "axis_pipeline");
    return std::get<std::int64_t>(config.values.at("loader_warps"));
  };
  EXPECT_EQ(loader_warps(Algorithm::reduce, 1000), 2);
  EXPECT_EQ(loader_warps(Algorithm::reduce, 64), 1);
  EXPECT_EQ(loader_warps(Algorithm::inclusive_scan, 1000), 1);
}

}  // namespace
}  // namespace upsweep
