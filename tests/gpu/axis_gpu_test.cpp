// Scans and reduces along an axis on a GPU: random shapes, types and operators, every schedule, each alignment, in
// place.
#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/axis.hpp"

namespace upsweep {
namespace {

const test::Layout layouts_of_axes[] = {
    {}, {.in_place = true}, {.in_offset = 1, .out_offset = 1}, {.in_offset = 1, .out_offset = 3}, {.out_offset = 1}};

// From 1 to `most`, as often of each power of two.
std::uint64_t random_extent(std::uint64_t most, std::mt19937_64& random) {
  std::uint64_t extent = 1;
  for (std::uint64_t exponent = random() % 22; exponent > 0; --exponent) extent *= 2;
  extent += random() % extent * (random() % 4 != 0 ? 1 : 0);
  return std::clamp<std::uint64_t>(extent, 1, std::max<std::uint64_t>(1, most));
}

// A shape of at most so many items.
Axis random_axis(std::uint64_t most, std::mt19937_64& random) {
  const std::uint64_t inner = random_extent(most, random), length = random_extent(most / inner, random);
  return axis(1 + random() % std::max<std::uint64_t>(1, most / inner / length), length, inner);
}

Problem of_shape(Problem problem, const Axis& shape) {
  problem.row_length = shape.length();
  problem.inner = shape.inner();
  problem.size = shape.items();
  return problem;
}

void expect_right(const Plan& plan, const Axis& shape, std::uint64_t seed) {
  const test::PortCase call = test::make_axis_case(plan.problem(), shape, seed);
  for (const test::Layout& layout : layouts_of_axes) {
    ASSERT_EQ(test::run_and_compare(test::gpu_engine()->device(), plan, call, layout), std::nullopt)
        << to_string(plan.problem()) << " " << to_json(plan.config()) << ", " << shape.outer() << " x "
        << shape.length() << " x " << shape.inner() << ", seed " << seed << (layout.in_place ? ", in place" : "");
  }
}

class GpuAxis : public testing::TestWithParam<Problem> {};

// The configs that calls of such shapes get. Each is compiled for one shape and also runs nine others.
TEST_P(GpuAxis, OfRandomShapesIsThatOfAPlainLoop) {
  const std::uint64_t seed = static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) + 1;
  std::mt19937_64 random(seed);
  std::optional<Plan> plan;
  for (int i = 0; i < 200; ++i) {
    const Axis shape = random_axis(std::uint64_t{1} << (8 + i % 13), random);
    if (i % 10 == 0) plan = test::gpu_engine()->plan(of_shape(GetParam(), shape), nullptr);
    ASSERT_NO_FATAL_FAILURE(expect_right(*plan, shape, seed + i));
  }
}

// The configs that calls of many items get, with fewer items.
TEST_P(GpuAxis, OfManyItemsIsThatOfAPlainLoop) {
  std::uint64_t seed = 0;
  for (const Axis& many : {axis(6000, 100, 203), axis(100, 1000, 1001), axis(22, 1000, 3001), axis(15, 4000, 1001),
                           axis(7, 16'384, 1001), axis(1, 67, 1'000'003), axis(100'000, 256, 3)}) {
    const Plan plan = test::gpu_engine()->plan(of_shape(GetParam(), many), nullptr);
    for (const Axis& shape : {axis(2, 333, 1001), axis(1, 2100, 203), axis(5, 64, 67), axis(1, 3, 70'001)}) {
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, shape, ++seed));
    }
  }
}

// Every schedule with its default config for narrow and for wide axes, at shapes around its tiles.
TEST_P(GpuAxis, BySchedulesOfEachKindIsThatOfAPlainLoop) {
  const auto engine = test::gpu_engine();
  for (const std::uint64_t inner : {3, 64, 5000}) {
    Problem problem = GetParam();
    problem.inner = inner;
    problem.size = 1 << 20;
    problem.row_length = problem.size / inner;
    for (const ScheduleInfo& schedule : Space(problem, engine->device().limits()).describe()) {
      const Plan plan = engine->plan(problem, schedule.default_config, nullptr);
      const LaunchRule& launch = plan.source().launch;
      const std::uint64_t rows = launch.items_per_tile / std::max<std::uint64_t>(launch.columns_per_tile, 1);
      for (const std::uint64_t length : {std::uint64_t{1}, rows - 1, rows, rows + 1, 5 * rows + 3}) {
        if (length == 0) continue;
        for (const std::uint64_t behind : {1, 2, 3, 16, 31, 32, 33, 67, 256}) {
          if (length * behind > 200'000) continue;
          ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(1 + length % 3, length, behind), length));
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(1, 70'001, 4), 1));
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(1, 2000, 96), 1));
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(1, 3, 70'000), 1));
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(5, 0, 2), 1));
    }
  }
}

// Tiles that are copied, divided and looked ahead over in other ways than by default.
TEST(GpuAxisPanels, OfEachKindAreRight) {
  const auto engine = test::gpu_engine();
  const Config kinds[] = {
      {"axis_panels", {{"copies", "loads"}}},
      {"axis_panels", {{"contiguous_columns", 0}, {"panel_width", 8}, {"rows_per_thread", 3}}},
      {"axis_panels", {{"contiguous_columns", 128}, {"rows_per_thread", 9}, {"states_per_lane", 1}}},
      {"axis_panels", {{"descriptor", "split"}, {"threads_per_block", 128}, {"rows_per_thread", 5}}},
      {"axis_panels", {{"columns_per_thread", 1}, {"minimum_blocks", 1}, {"items_per_thread", 6}}},
      {"axis_lookahead", {{"worker_warps", 4}, {"vectors_per_thread", 2}, {"panel_columns", 64}}},
      {"axis_lookahead",
       {{"worker_warps", 4},
        {"reducer_warps", 1},
        {"vectors_per_thread", 3},
        {"panel_columns", 32},
        {"exchange_warps", 1}}},
      {"axis_lookahead",
       {{"worker_warps", 2},
        {"vectors_per_thread", 4},
        {"panel_columns", 32},
        {"tiles_per_span", 1},
        {"descriptor", "split"}}}};
  for (const Problem& problem : {test::axis_of_type(Algorithm::exclusive_scan, affine, Type::u32),
                                 test::axis_of_type(Algorithm::inclusive_scan, plus, Type::i8),
                                 test::axis_of_type(Algorithm::inclusive_scan, plus, Type::i16),
                                 test::axis_of_type(Algorithm::exclusive_scan, plus, Type::c128)}) {
    for (const Config& kind : kinds) {
      const Plan plan = engine->plan(problem, kind, nullptr);
      for (const Axis& shape : {axis(1, 40'001, 4), axis(1, 9000, 16), axis(3, 700, 67), axis(2, 1500, 64),
                                axis(50, 300, 3), axis(1, 300, 500), axis(2, 333, 129)}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(plan, shape, shape.length()));
      }
    }
  }
}

// Panels of wide rows and of whole arrays, of which one has fewer columns or arrays, tiles of which one has fewer rows,
// and rows at any address.
void expect_pipelines_right(const std::vector<Problem>& problems, const std::vector<Config>& kinds) {
  for (const Problem& problem : problems) {
    for (const Config& kind : kinds) {
      const Plan plan = test::gpu_engine()->plan(problem, kind, nullptr);
      for (const Axis& shape :
           {axis(1, 3, 700'001), axis(7, 64, 1001), axis(2, 9, 515), axis(500, 5, 67), axis(3, 40, 30'011),
            axis(3000, 90, 13), axis(900, 1, 7), axis(4, 8, 4096), axis(1, 2000, 131), axis(1, 2, 1)}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(plan, shape, shape.length()));
      }
    }
  }
}

TEST(GpuAxisPipeline, OfScansIsRight) {
  ASSERT_NO_FATAL_FAILURE(expect_pipelines_right(
      {test::axis_of_type(Algorithm::exclusive_scan, affine, Type::u32),
       test::axis_of_type(Algorithm::inclusive_scan, plus, Type::i8),
       test::axis_of_type(Algorithm::inclusive_scan, plus, Type::f16),
       test::axis_of_type(Algorithm::exclusive_scan, maximum, Type::i64),
       test::axis_of_type(Algorithm::exclusive_scan, plus, Type::c128)},
      {{"axis_pipeline", {}},
       {"axis_pipeline",
        {{"threads_per_block", 96}, {"storer_warps", 1}, {"columns_per_thread", 1}, {"stages", 2}, {"stage_kib", 2}}},
       {"axis_pipeline",
        {{"threads_per_block", 256},
         {"loader_warps", 2},
         {"stages", 3},
         {"stage_kib", 16},
         {"items_per_thread", 2}}}}));
}

TEST(GpuAxisPipeline, OfFoldsIsRight) {
  ASSERT_NO_FATAL_FAILURE(expect_pipelines_right(
      {test::axis_of_type(Algorithm::reduce, affine, Type::u32), test::axis_of_type(Algorithm::reduce, plus, Type::i8),
       test::axis_of_type(Algorithm::reduce, plus, Type::f16),
       test::axis_of_type(Algorithm::reduce, maximum, Type::i64),
       test::axis_of_type(Algorithm::reduce, plus, Type::c128)},
      {{"axis_pipeline", {}},
       {"axis_pipeline", {{"threads_per_block", 64}, {"columns_per_thread", 1}, {"stages", 2}, {"stage_kib", 2}}},
       {"axis_pipeline",
        {{"threads_per_block", 256},
         {"loader_warps", 4},
         {"stages", 3},
         {"stage_kib", 16},
         {"items_per_thread", 2},
         {"rows_per_tile", 96}}}}));
}

// A few columns of one array, scanned as one sequence of rows: one tile and many, at any address.
TEST(GpuNarrowAxis, IsThatOfAPlainLoop) {
  const auto engine = test::gpu_engine();
  const Config kinds[] = {
      {"lookahead", {}},
      {"lookahead", {{"worker_warps", 4}, {"vectors_per_thread", 3}, {"stages", 5}, {"reduce_ahead", 3}}},
      {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 9}, {"stages", 3}, {"emit", "vectorized"}}},
      {"lookahead",
       {{"worker_warps", 1},
        {"vectors_per_thread", 3},
        {"states_per_lane", 1},
        {"fill", "async"},
        {"order", "strided"},
        {"descriptor", "split"}}}};
  const auto narrow = [](Algorithm algorithm, Operator op, Type type, std::uint64_t inner) {
    return test::axis_of_type(algorithm, op, type, 1 << 16, inner);
  };
  Problem widening = narrow(Algorithm::exclusive_scan, plus, Type::i16, 2);
  widening.accumulator = widening.output = Type::i64;
  for (const Problem& problem :
       {narrow(Algorithm::exclusive_scan, affine, Type::u32, 2),
        narrow(Algorithm::inclusive_scan, affine, Type::u32, 3),
        narrow(Algorithm::exclusive_scan, affine, Type::u32, 4),
        narrow(Algorithm::inclusive_scan, affine, Type::u64, 2), narrow(Algorithm::inclusive_scan, plus, Type::i8, 3),
        narrow(Algorithm::exclusive_scan, maximum, Type::u8, 4),
        narrow(Algorithm::inclusive_scan, last_nonzero, Type::f16, 4),
        narrow(Algorithm::exclusive_scan, plus, Type::c64, 2), widening}) {
    for (const Config& kind : kinds) {
      const Plan plan = engine->plan(problem, kind, nullptr);
      for (const std::uint64_t length : {1, 7, 100, 1023, 2049, 40'001, 500'001}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(1, length, problem.inner), length));
      }
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(2, 5000, problem.inner), 1));
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, axis(1, 5000, 33), 1));
    }
  }
}

// The kernel of other extents than the plan's own is compiled before a capture, or not at all.
TEST(GpuNarrowAxis, OtherExtentsAreCapturedOncePrepared) {
  const auto engine = runtime::Engine::open({.device = test::gpu_device(), .database = "none", .reproducible = false});
  const test::ScopedPrimaryContext context;
  const test::ScopedStream stream(engine->device());
  const Plan plan = engine->plan(test::axis_of_type(Algorithm::inclusive_scan, plus, Type::i32, 1 << 16, 3),
                                 {"lookahead", {}}, stream.get());
  const std::vector<std::int32_t> ones(600, 1);
  runtime::Buffer memory(engine->device(), 600 * sizeof(std::int32_t));
  engine->device().copy_to_device(memory.data(), ones.data(), memory.bytes(), stream.get());
  const Arguments other = Arguments(axis(2, 100, 3)).array("in", memory.data()).array("out", memory.data());
  const test::Executable refused(stream.get(), [&] { EXPECT_THROW(plan.run(other, stream.get()), DeviceError); });
  plan.prepare(other, stream.get());
  const test::Executable captured(stream.get(), [&] { plan.run(other, stream.get()); });
  ASSERT_NO_FATAL_FAILURE(captured.launch(stream.get()));
  std::vector<std::int32_t> sums(600);
  engine->device().copy_to_host(sums.data(), memory.data(), memory.bytes(), stream.get());
  engine->device().synchronize(stream.get());
  EXPECT_EQ(sums.at(299), 100);
  EXPECT_EQ(sums.at(599), 100);
}

// Tiles that are so small that all blocks have shares: of short axes several ones, and of a long axis one each.
TEST(GpuAxisShares, OfManyTilesAreRight) {
  const auto engine = test::gpu_engine();
  const Config small_tiles = {"axis_shares",
                              {{"threads_per_block", 96}, {"panel_width", 4}, {"stages", 2}, {"stage_kib", 1}}};
  for (const Problem& problem :
       {test::axis_of_type(Algorithm::reduce, plus, Type::u8), test::axis_of_type(Algorithm::reduce, plus, Type::i32),
        test::axis_of_type(Algorithm::reduce, plus, Type::c128),
        test::axis_of_type(Algorithm::reduce, maximum, Type::f64),
        test::axis_of_type(Algorithm::reduce, affine, Type::u32),
        test::axis_of_type(Algorithm::reduce, affine, Type::u64)}) {
    const Plan plan = engine->plan(problem, small_tiles, nullptr);
    for (const Axis& shape :
         {axis(1, 700'001, 1), axis(1, 200'003, 3), axis(2, 100'000, 4), axis(5, 40'001, 5), axis(90, 7001, 2),
          axis(300'000, 9, 2), axis(900'000, 4, 1), axis(20'000, 30, 3), axis(2, 9000, 37), axis(40'000, 2, 23)}) {
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, shape, shape.length()));
    }
  }
}

std::vector<Problem> problems_along_axes() {
  std::vector<Problem> all;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
    for (const Type type : {Type::u8, Type::i16, Type::i32, Type::u64, Type::f32, Type::c128}) {
      all.push_back(test::axis_of_type(algorithm, plus, type));
    }
    for (const Type type : {Type::i8, Type::f32, Type::f64}) {
      all.push_back(test::axis_of_type(algorithm, maximum, type));
    }
    for (const Type type : {Type::u32, Type::u64}) all.push_back(test::axis_of_type(algorithm, affine, type));
    all.push_back(test::axis_of_type(algorithm, last_nonzero, Type::i16));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GpuAxis, testing::ValuesIn(problems_along_axes()), [](const auto& given) {
  return fmt::format("{}_{}_{}", name(given.param.algorithm), name(given.param.op), name(given.param.input));
});

// More than 2^32 items: of many columns, and of long ones. All items are 1.
TEST(GpuLargeAxis, IsRightBeyondTheReachOf32Bits) {
  const auto engine = test::gpu_engine();
  for (const Axis& shape : {axis(1, 1021, 4'300'007), axis(3, 20'000'003, 75), axis(2, 1'100'000'007, 2)}) {
    const std::uint64_t n = shape.items();
    runtime::Buffer in(engine->device(), n), out(engine->device(), n), sums(engine->device(), shape.columns());
    engine->device().fill(in.data(), 1, n, nullptr);
    const auto plan = [&](Algorithm algorithm) {
      return engine->plan(along_axis(make_problem(algorithm, plus, Type::u8, Type::u8), shape), nullptr);
    };
    plan(Algorithm::inclusive_scan).run(Arguments(shape).array("in", in.data()).array("out", out.data()));
    plan(Algorithm::reduce).run(Arguments(shape).array("in", in.data()).array("out", sums.data()));
    std::vector<std::uint8_t> got(shape.columns()), row(shape.inner());
    engine->device().copy_to_host(got.data(), sums.data(), got.size(), nullptr);
    EXPECT_EQ(got, std::vector<std::uint8_t>(got.size(), static_cast<std::uint8_t>(shape.length())));
    for (const std::uint64_t k : {std::uint64_t{0}, shape.length() / 2, shape.length() - 1}) {
      const std::uint64_t first = ((shape.outer() - 1) * shape.length() + k) * shape.inner();
      engine->device().copy_to_host(row.data(), static_cast<const std::byte*>(out.data()) + first, row.size(), nullptr);
      EXPECT_EQ(row, std::vector<std::uint8_t>(row.size(), static_cast<std::uint8_t>(k + 1))) << "row " << k;
    }
  }
}

}  // namespace
}  // namespace upsweep
