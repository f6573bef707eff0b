// The schedules that scans along an axis have by default.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

TEST(AxisDefaults, DefaultsOfScansDependOnTheRows) {
  constexpr std::uint64_t many = 1 << 26;
  const DeviceLimits whole = limits_of_architecture("sm_90");
  const auto schedule = [&](std::uint64_t size, std::uint64_t length, std::uint64_t inner, Type type = Type::f32) {
    return test::default_along(Algorithm::inclusive_scan, size, length, inner, whole, type);
  };
  EXPECT_EQ(schedule(1 << 12, 1024, 4), "axis_blocks");
  EXPECT_EQ(schedule(1 << 20, 64, 4), "axis_blocks");
  EXPECT_EQ(schedule(1 << 21, 64, 16), "axis_blocks");
  EXPECT_EQ(schedule(1 << 21, 64, 4), "axis_lookahead");
  EXPECT_EQ(schedule(1 << 20, 512, 1024, Type::f64), "axis_blocks");
  EXPECT_EQ(schedule(1 << 21, 1024, 64, Type::f64), "axis_blocks");
  EXPECT_EQ(schedule(1 << 22, 1024, 64, Type::f64), "axis_panels") << "32 MiB";
  EXPECT_EQ(schedule(1 << 22, 1024, 67), "axis_panels") << "rows that fill no vectors";
  EXPECT_EQ(schedule(1 << 16, 1 << 13, 8), "axis_panels");
  EXPECT_EQ(schedule(many, 64, 16), "axis_blocks");
  EXPECT_EQ(schedule(many, 256, 1024), "axis_blocks");
  EXPECT_EQ(schedule(many, 2000, 1001), "axis_pipeline");
  EXPECT_EQ(schedule(many, 1024, 16), "axis_panels");
  EXPECT_EQ(schedule(many, 1024, 64), "axis_blocks");
  EXPECT_EQ(schedule(many, 4096, 64), "axis_panels");
  EXPECT_EQ(schedule(many, 64, 1 << 20), "axis_blocks");
  EXPECT_EQ(schedule(many, 64, 1 << 20, Type::f64), "axis_blocks");
  EXPECT_EQ(schedule(many, 256, 1 << 10, Type::f64), "axis_panels");
  EXPECT_EQ(schedule(many, 64, 1 << 20, Type::i8), "axis_columns");
  EXPECT_EQ(schedule(many, 1 << 22, 16), "axis_lookahead");
  EXPECT_EQ(schedule(many, 256, 36), "axis_panels") << "rows that begin within sectors";
  EXPECT_EQ(schedule(many, 1024, 36), "axis_lookahead");
  EXPECT_EQ(schedule(many, 64, 72, Type::f64), "axis_blocks");
  EXPECT_EQ(schedule(many, 1 << 16, 33, Type::i8), "axis_lookahead");
  EXPECT_EQ(schedule(many, 1 << 16, 33, Type::f16), "axis_panels");
  EXPECT_EQ(test::default_along(Algorithm::inclusive_scan, many, 1 << 22, 16, limits_of_architecture("sm_80")),
            "axis_panels");
}

// A part of an H100, for which axis_pipeline was not measured.
TEST(AxisDefaults, DefaultsOfScansInAPartDependOnTheRows) {
  constexpr std::uint64_t many = 1 << 26;
  const DeviceLimits part = limits_of_part(test::with_bandwidth(3350), 64);
  const auto schedule = [&](std::uint64_t size, std::uint64_t length, std::uint64_t inner, Type type = Type::f32) {
    return test::default_along(Algorithm::inclusive_scan, size, length, inner, part, type);
  };
  EXPECT_EQ(schedule(many, 256, 1000), "axis_blocks");
  EXPECT_EQ(schedule(many, 256, 1001), "axis_blocks");  // item by item
  EXPECT_EQ(schedule(many, 256, 1001, Type::f16), "axis_blocks");
  EXPECT_EQ(schedule(many, 256, 1001, Type::f64), "axis_panels");
  // Rows that begin within lines of 128 bytes, and within sectors of 32.
  EXPECT_EQ(schedule(many, 16, 72), "axis_blocks");
  EXPECT_EQ(schedule(many, 64, 72), "axis_panels");
  EXPECT_EQ(schedule(many, 512, 72), "axis_lookahead");
  EXPECT_EQ(schedule(many, 1024, 72), "axis_blocks");
  EXPECT_EQ(schedule(many, 512, 200), "axis_panels");
  EXPECT_EQ(schedule(many, 1024, 100), "axis_panels");
  EXPECT_EQ(schedule(many, 64, 300), "axis_blocks");
  EXPECT_EQ(schedule(1 << 22, 64, 72), "axis_blocks");
  // Rows that do not fill vectors.
  EXPECT_EQ(schedule(many, 4, 67), "axis_lookahead");
  EXPECT_EQ(schedule(many, 1024, 67), "axis_lookahead");
  EXPECT_EQ(schedule(many, 2048, 67), "axis_panels");
  EXPECT_EQ(schedule(many, 64, 67, Type::i8), "axis_lookahead");
  EXPECT_EQ(schedule(many, 64, 71, Type::f16), "axis_lookahead");
  EXPECT_EQ(schedule(many, 64, 131, Type::f16), "axis_columns");
  EXPECT_EQ(schedule(many, 4, 255), "axis_columns");
}

// Rows that begin within lines, and are not narrow, in enough panels for the multiprocessors.
TEST(AxisDefaults, UnevenRowsAreScannedByAPipeline) {
  const DeviceLimits h200 = test::with_bandwidth(4800);
  const auto is_pipeline = [&](Type type, std::uint64_t length, std::uint64_t inner, std::uint64_t bytes = 1 << 28,
                               const DeviceLimits* limits = nullptr) {
    return test::default_along(Algorithm::inclusive_scan, bytes / size_of(type), length, inner, limits ? *limits : h200,
                               type) == "axis_pipeline";
  };
  EXPECT_TRUE(is_pipeline(Type::f32, 67, 1'000'003));
  EXPECT_TRUE(is_pipeline(Type::f32, 3, 22'369'621));
  EXPECT_TRUE(is_pipeline(Type::f32, 64, 33));
  EXPECT_TRUE(is_pipeline(Type::i8, 64, 33));
  EXPECT_TRUE(is_pipeline(Type::f16, 1000, 1001));
  EXPECT_TRUE(is_pipeline(Type::f64, 256, 1001));
  EXPECT_TRUE(is_pipeline(Type::i8, 64, 1000)) << "rows of 8 bytes";
  EXPECT_TRUE(is_pipeline(Type::f32, 256, 1000)) << "rows of whole sectors";
  EXPECT_TRUE(is_pipeline(Type::f16, 64, 1001, 16 << 20));
  EXPECT_FALSE(is_pipeline(Type::f16, 64, 1001, 8 << 20)) << "few items";
  EXPECT_FALSE(is_pipeline(Type::f32, 64, 1024));
  EXPECT_FALSE(is_pipeline(Type::f32, 64, 20)) << "narrow rows that fill vectors";
  EXPECT_FALSE(is_pipeline(Type::f32, 64, 3));
  EXPECT_TRUE(is_pipeline(Type::f16, 4096, 1001)) << "about 500 bytes of a row per multiprocessor";
  EXPECT_FALSE(is_pipeline(Type::f16, 8192, 1001)) << "about 250 bytes";
  EXPECT_FALSE(is_pipeline(Type::f32, 4096, 67)) << "narrow rows; fewer than 128 columns per multiprocessor";
  EXPECT_TRUE(is_pipeline(Type::i8, 1 << 13, 67)) << "narrow rows; more columns";
  EXPECT_TRUE(is_pipeline(Type::f32, 1000, 3001));
  EXPECT_TRUE(is_pipeline(Type::i8, 1000, 200'003)) << "one array";
  EXPECT_FALSE(is_pipeline(Type::f32, 1 << 13, 33)) << "few columns";
  EXPECT_FALSE(is_pipeline(Type::c128, 64, 1001)) << "not measured";
  const DeviceLimits a100 = limits_of_architecture("sm_80"), part = limits_of_part(test::with_bandwidth(3350), 64);
  EXPECT_FALSE(is_pipeline(Type::f32, 64, 1001, 1 << 28, &a100));
  EXPECT_FALSE(is_pipeline(Type::f32, 64, 1001, 1 << 28, &part)) << "much bandwidth for each multiprocessor";
}

// An H200 has more bandwidth for each multiprocessor than an H100, whose defaults are those of a device without a name.
// A part of an H100 has more still, and was not measured.
TEST(AxisDefaults, DefaultsDependOnTheMemory) {
  constexpr std::uint64_t many = 1 << 26;
  const DeviceLimits h100 = test::with_bandwidth(3350), h200 = test::with_bandwidth(4800);
  const DeviceLimits half = limits_of_part(h100, 64);
  EXPECT_EQ(test::default_along(Algorithm::inclusive_scan, many, 256, 64, half), "axis_blocks");
  const auto scan = [&](std::uint64_t size, std::uint64_t length, std::uint64_t inner, Type type = Type::f32) {
    return std::pair(test::default_along(Algorithm::inclusive_scan, size, length, inner, h100, type),
                     test::default_along(Algorithm::inclusive_scan, size, length, inner, h200, type));
  };
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(scan(many, 64, 1 << 20), (Pair{"axis_blocks", "axis_columns"}));
  EXPECT_EQ(scan(many, 256, 64), (Pair{"axis_blocks", "axis_columns"}));
  EXPECT_EQ(scan(many, 64, 16), (Pair{"axis_blocks", "axis_columns"}));
  EXPECT_EQ(scan(many, 512, 16), (Pair{"axis_blocks", "axis_panels"}));
  EXPECT_EQ(scan(many, 1024, 64), (Pair{"axis_blocks", "axis_panels"}));
  EXPECT_EQ(scan(many, 64, 4), (Pair{"axis_lookahead", "axis_lookahead"})) << "narrow rows";
  EXPECT_EQ(scan(many, 1 << 22, 16), (Pair{"axis_lookahead", "axis_lookahead"}));
  EXPECT_EQ(scan(many, 16, 36), (Pair{"axis_blocks", "axis_columns"})) << "rows that begin within lines";
  EXPECT_EQ(scan(many, 64, 36), (Pair{"axis_panels", "axis_panels"}));
  EXPECT_EQ(scan(1 << 22, 16, 64), (Pair{"axis_blocks", "axis_columns"}));
  EXPECT_EQ(scan(1 << 22, 64, 64), (Pair{"axis_blocks", "axis_blocks"})) << "few columns";
  EXPECT_EQ(scan(1 << 22, 64, 64, Type::i64), (Pair{"axis_blocks", "axis_columns"}));
  EXPECT_EQ(scan(many, 64, 1024, Type::f16), (Pair{"axis_columns", "axis_columns"}));
}

// A plan is for all extents of its classes, whichever comes first.
TEST(AxisDefaults, DefaultsAlongAnAxisAreThoseOfTheClass) {
  const DeviceLimits slow = limits_of_architecture("sm_90"), fast = test::with_bandwidth(4800);
  for (const auto& [algorithm, limits] : {std::pair{Algorithm::inclusive_scan, slow},
                                          {Algorithm::inclusive_scan, fast},
                                          {Algorithm::reduce, slow},
                                          {Algorithm::reduce, fast}}) {
    for (const Type type : {Type::u8, Type::f16, Type::f32, Type::i64, Type::c128}) {
      const auto config = [&](std::uint64_t size, std::uint64_t length, std::uint64_t inner) {
        Problem problem = along_axis(make_problem(algorithm, plus, type, type), axis(1, length, inner));
        problem.size = size;
        return Space(problem, limits).default_config();
      };
      // Pairs of one class and alignment.
      struct Pair {
        std::uint64_t inner, other, length;
      };
      for (const auto& [inner, other, some_rows] : {Pair{3, 3, 0},
                                                    {5, 7, 0},
                                                    {12, 20, 0},
                                                    {48, 80, 0},
                                                    {203, 301, 1000},
                                                    {768, 1280, 0},
                                                    {1001, 1301, 1000},
                                                    {1 << 16, 1 << 16, 0}}) {
        const std::uint64_t length = some_rows != 0 ? some_rows : (1 << 26) / inner;
        const Config whole = config(1 << 26, length, inner);
        EXPECT_EQ(config(60'000'000, length - length / 5, inner), whole) << name(type) << ", " << inner;
        EXPECT_EQ(config(80'000'000, length + length / 50, other), whole) << name(type) << ", " << inner;
      }
    }
  }
}

// Where neighbouring threads would load pieces of a few bytes, tiles are rows of several axes.
TEST(AxisDefaults, NarrowShortAxesAreScannedInTilesOfWholeRows) {
  const auto schedule = [](const char* architecture, Type type, std::uint64_t length, std::uint64_t inner,
                           std::uint64_t size = 1 << 26) {
    Problem problem = along_axis(make_problem(Algorithm::inclusive_scan, plus, type, type), axis(1, length, inner));
    problem.size = size;
    return Space(problem, limits_of_architecture(architecture)).default_config().schedule;
  };
  EXPECT_EQ(schedule("sm_90", Type::f32, 64, 3), "axis_lookahead");
  EXPECT_EQ(schedule("sm_90", Type::i8, 256, 4), "axis_lookahead");
  EXPECT_EQ(schedule("sm_90", Type::i8, 64, 64), "axis_columns");
  EXPECT_EQ(schedule("sm_90", Type::f16, 64, 72), "axis_columns");
  EXPECT_EQ(schedule("sm_90", Type::f32, 1 << 13, 3), "axis_panels");
  EXPECT_EQ(schedule("sm_90", Type::f32, 64, 3, 1 << 18), "axis_blocks");
  EXPECT_EQ(schedule("sm_90", Type::f32, 1024, 3), "axis_lookahead");
  EXPECT_EQ(schedule("sm_80", Type::f32, 64, 3), "axis_panels");
}

// The tiles of a long axis with few items behind it are one chain.
TEST(AxisDefaults, NarrowLongAxesAreScannedByLookAhead) {
  const auto schedule = [](Type type, std::uint64_t outer, std::uint64_t length, std::uint64_t inner,
                           const char* architecture = "sm_90") {
    const Problem problem =
        along_axis(make_problem(Algorithm::inclusive_scan, plus, type, type), axis(outer, length, inner));
    return Space(problem, limits_of_architecture(architecture)).default_config().schedule;
  };
  EXPECT_EQ(schedule(Type::f32, 1, 1 << 23, 8), "axis_lookahead");
  EXPECT_EQ(schedule(Type::f32, 1, 1'000'003, 67), "axis_lookahead") << "the class of 64 items";
  EXPECT_EQ(schedule(Type::f32, 256, 1 << 16, 4), "axis_lookahead");
  EXPECT_EQ(schedule(Type::f32, 1, 1 << 19, 128), "axis_panels") << "wide rows";
  EXPECT_EQ(schedule(Type::f64, 32, 1 << 16, 16), "axis_lookahead");
  EXPECT_EQ(schedule(Type::f32, 1, 1 << 18, 8), "axis_panels") << "few bytes";
  EXPECT_EQ(schedule(Type::i8, 4, 1 << 22, 4), "axis_lookahead");
  EXPECT_EQ(schedule(Type::i8, 256, 1 << 16, 4), "axis_panels");
  EXPECT_EQ(schedule(Type::f16, 1, 1 << 20, 64), "axis_panels");
  EXPECT_EQ(schedule(Type::f16, 15, 1 << 16, 67), "axis_lookahead") << "rows that do not fill vectors";
  EXPECT_EQ(schedule(Type::f32, 1, 1 << 24, 4, "sm_80"), "axis_panels");
  const Problem few =
      along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), axis(1, 1 << 23, 8));
  const Problem many =
      along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), axis(1, 1 << 20, 64));
  const DeviceLimits limits = limits_of_architecture("sm_90");
  EXPECT_EQ(Space(few, limits).default_config().integer("exchange_warps"), 2) << "fewer warps suffice for 32 columns";
  EXPECT_EQ(Space(many, limits).default_config().integer("exchange_warps"), 4);
}

}  // namespace
}  // namespace upsweep
