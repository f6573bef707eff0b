// Scans and reduces of rows on a GPU: random shapes, types and operators, every schedule, each alignment, in place.
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
#include "tests/support/rows.hpp"

namespace upsweep {
namespace {

const test::Layout layouts_of_rows[] = {{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}, {.in_offset = 2}};

// A shape of at most so many items. Lengths are as often of each power of two.
Rows random_rows(std::uint64_t most, std::mt19937_64& random) {
  std::uint64_t length = 1;
  for (std::uint64_t exponent = random() % 22; exponent > 0; --exponent) length *= 2;
  length = std::min(most, length + random() % length * (random() % 4 != 0 ? 1 : 0));
  return rows(1 + random() % std::max<std::uint64_t>(1, most / length), length);
}

Problem of_shape(Problem problem, const Rows& shape) {
  problem.row_length = shape.length();
  problem.size = shape.items();
  return problem;
}

// The same with gaps between rows: often such that vectors stay whole. The results of a reduce have none.
Rows with_gaps(const Rows& shape, bool reduces, std::mt19937_64& random) {
  const auto gap = [&] { return random() % 3 == 0 ? 16 * (random() % 9) : random() % 40; };
  const std::uint64_t in = shape.length() + gap();
  return rows(shape.count(), shape.length()).pitch(in, reduces || random() % 2 == 0 ? in : shape.length() + gap());
}

void expect_right(const Plan& plan, const Rows& shape, std::uint64_t seed) {
  const test::PortCase call = test::make_rows_case(plan.problem(), shape, seed);
  for (const test::Layout& layout : layouts_of_rows) {
    ASSERT_EQ(test::run_and_compare(test::gpu_engine()->device(), plan, call, layout), std::nullopt)
        << to_string(plan.problem()) << " " << to_json(plan.config()) << ", " << shape.count() << " rows of "
        << shape.length() << " with pitches of " << shape.in_pitch() << " and " << shape.out_pitch() << ", seed "
        << seed << (layout.in_place ? ", in place" : "");
  }
}

class GpuRows : public testing::TestWithParam<Problem> {};

// The configs that calls of such shapes get. Each is compiled for one shape and also runs nine others.
TEST_P(GpuRows, OfRandomShapesAreThoseOfAPlainLoop) {
  const std::uint64_t seed = static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) + 1;
  std::mt19937_64 random(seed);
  std::optional<Plan> plan;
  for (int i = 0; i < 200; ++i) {
    const Rows shape = random_rows(std::uint64_t{1} << (8 + i % 13), random);
    if (i % 10 == 0) plan = test::gpu_engine()->plan(of_shape(GetParam(), shape), nullptr);
    ASSERT_NO_FATAL_FAILURE(expect_right(*plan, shape, seed + i));
  }
}

// The same with gaps between rows, which keep their bytes.
TEST_P(GpuRows, WithAPitchAreThoseOfAPlainLoop) {
  const std::uint64_t seed = static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) + 1;
  std::mt19937_64 random(seed);
  const bool reduces = GetParam().algorithm == Algorithm::reduce;
  std::optional<Plan> plan;
  for (int i = 0; i < 120; ++i) {
    const Rows shape = with_gaps(random_rows(std::uint64_t{1} << (8 + i % 13), random), reduces, random);
    if (i % 10 == 0) {
      Problem problem = of_shape(GetParam(), shape);
      problem.row_pitch = shape.length() + 1;
      plan = test::gpu_engine()->plan(problem, nullptr);
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(*plan, shape, seed + i));
  }
}

TEST_P(GpuRows, WithAPitchBySchedulesOfEachKindAreThoseOfAPlainLoop) {
  const auto engine = test::gpu_engine();
  const bool reduces = GetParam().algorithm == Algorithm::reduce;
  std::mt19937_64 random(7);
  for (const std::uint64_t length : {3, 64, 5000}) {
    Problem problem = GetParam();
    problem.row_length = length;
    problem.row_pitch = length + 1;
    problem.size = 1 << 20;
    for (const ScheduleInfo& schedule : Space(problem, engine->device().limits()).describe()) {
      const Plan plan = engine->plan(problem, schedule.default_config, nullptr);
      const std::uint64_t tile = plan.source().launch.items_per_tile;
      for (const std::uint64_t each : {std::uint64_t{1}, length, tile, tile + 1, 3 * tile + 5}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(plan, with_gaps(rows(1 + 20'000 / each, each), reduces, random), each));
      }
    }
  }
}

// Every schedule with its default config, at lengths around its tiles.
TEST_P(GpuRows, BySchedulesOfEachKindAreThoseOfAPlainLoop) {
  const auto engine = test::gpu_engine();
  for (const std::uint64_t length : {3, 64, 5000}) {
    Problem problem = GetParam();
    problem.row_length = length;
    problem.size = 1 << 20;
    for (const ScheduleInfo& schedule : Space(problem, engine->device().limits()).describe()) {
      const Plan plan = engine->plan(problem, schedule.default_config, nullptr);
      const std::uint64_t tile = plan.source().launch.items_per_tile;
      for (const std::uint64_t each : {std::uint64_t{1}, length, tile - 1, tile, tile + 1, 3 * tile + 5}) {
        if (each == 0) continue;
        ASSERT_NO_FATAL_FAILURE(expect_right(plan, rows(1 + 20'000 / each, each), each));
      }
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, rows(1, 70'001), 1));
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, rows(5, 0), 1));
    }
  }
}

std::vector<Problem> problems_of_rows() {
  std::vector<Problem> all;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
    for (const Type type : {Type::u8, Type::i16, Type::i32, Type::u64, Type::f32, Type::c128}) {
      all.push_back(test::rows_of_type(algorithm, plus, type));
    }
    for (const Type type : {Type::i8, Type::f32, Type::f64}) {
      all.push_back(test::rows_of_type(algorithm, maximum, type));
    }
    for (const Type type : {Type::u32, Type::u64}) all.push_back(test::rows_of_type(algorithm, affine, type));
    all.push_back(test::rows_of_type(algorithm, last_nonzero, Type::i16));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GpuRows, testing::ValuesIn(problems_of_rows()), [](const auto& given) {
  return fmt::format("{}_{}_{}", name(given.param.algorithm), name(given.param.op), name(given.param.input));
});

// More than 2^32 items: indices are divided with 64 bits.
TEST(GpuLargeRows, BeginWhereTheyDoBeyondTheReachOf32Bits) {
  const auto engine = test::gpu_engine();
  const std::uint64_t length = 1'000'003, count = 4400, n = length * count;
  runtime::Buffer in(engine->device(), n), out(engine->device(), n), sums(engine->device(), count);
  engine->device().fill(in.data(), 1, n, nullptr);
  const Plan scan =
      engine->plan(in_rows(make_problem(Algorithm::inclusive_scan, plus, Type::u8, Type::u8), count, length), nullptr);
  scan.run(Arguments(rows(count, length)).array("in", in.data()).array("out", out.data()));
  const Plan reduce =
      engine->plan(in_rows(make_problem(Algorithm::reduce, plus, Type::u8, Type::u8), count, length), nullptr);
  reduce.run(Arguments(rows(count, length)).array("in", in.data()).array("out", sums.data()));
  std::vector<std::uint8_t> got(count), row(length);
  engine->device().copy_to_host(got.data(), sums.data(), count, nullptr);
  EXPECT_EQ(got, std::vector<std::uint8_t>(count, static_cast<std::uint8_t>(length)));
  for (const std::uint64_t which : {std::uint64_t{0}, std::uint64_t{4294}, std::uint64_t{4295}, count - 1}) {
    const auto* const from = static_cast<const std::byte*>(out.data()) + which * length;
    engine->device().copy_to_host(row.data(), from, length, nullptr);
    for (std::uint64_t i = 0; i < length; ++i) {
      ASSERT_EQ(row[i], static_cast<std::uint8_t>(i + 1)) << "row " << which << ", item " << i;
    }
  }
}

}  // namespace
}  // namespace upsweep
