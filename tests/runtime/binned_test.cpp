// Reproducible sums on the host device: every schedule, type and order of the items against integers, to the bit.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/context.hpp>

#include "generator/accuracy.hpp"
#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/accurate_sums.hpp"
#include "tests/support/binned_sum.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/strategies.hpp"
#include "tests/support/variable.hpp"
#include "tuner/verify/number.hpp"

namespace upsweep {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::array binned_types{Type::f32, Type::f64, Type::f16, Type::bf16};

Problem binned_sum_of(Type type) {
  Problem problem = make_problem(Algorithm::reduce, plus, type, type);
  problem.accuracy = Accuracy::binned;
  return problem;
}

Plan binned_plan(runtime::Engine& engine, const Problem& problem, const Config& partial) {
  const Space space(problem, engine.device().limits());
  Config config = test::with_small_tiles(space, space.complete(partial));
  for (const auto& [name, value] : partial.values) config.values[name] = value;
  return engine.plan(problem, config, nullptr);
}

double run_binned(runtime::Engine& engine, const Plan& plan, const std::vector<double>& numbers, double initial) {
  const Problem& problem = plan.problem();
  const std::vector<std::byte> items = test::bytes_of_numbers(problem.input, numbers);
  const Scalar first = tuner::to_scalar(problem.accumulator, {.floating = initial});
  return test::sums_of(engine.device(), plan, items, numbers.size(), first).at(0);
}

// By the bits, but for those of a NaN.
testing::AssertionResult is_binned_sum(runtime::Engine& engine, const Plan& plan, std::vector<double> numbers,
                                       double initial = 0) {
  const double got = run_binned(engine, plan, numbers, initial);
  const std::uint64_t n = numbers.size();
  numbers.push_back(initial);
  const double wanted = test::binned_sum(plan.problem(), numbers);
  if (std::isnan(got) && std::isnan(wanted)) return testing::AssertionSuccess();
  if (got == wanted && std::signbit(got) == std::signbit(wanted)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << to_string(plan.problem()) << " " << to_json(plan.config()) << ", " << n
                                     << " items: " << got << " instead of " << wanted;
}

// Of no item, of one, around a tile and of several tiles; in three orders.
void expect_binned_sums(runtime::Engine& engine, const Plan& plan) {
  const Type type = plan.problem().input;
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::uint64_t seed = tile;
  for (int turn = 0; turn < 4; ++turn) {
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile, tile + 1, 3 * tile + 5}) {
      std::vector<double> numbers = test::numbers_for_bins(type, n, turn, ++seed);
      const double initial = turn % 2 == 0 ? 0 : test::numbers_for_bins(plan.problem().accumulator, 1, turn, seed)[0];
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", turn " << turn);
      ASSERT_TRUE(is_binned_sum(engine, plan, numbers, initial));
      std::sort(numbers.begin(), numbers.end());
      ASSERT_TRUE(is_binned_sum(engine, plan, numbers, initial));
      std::sort(numbers.begin(), numbers.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
      ASSERT_TRUE(is_binned_sum(engine, plan, numbers, initial));
    }
  }
}

// Each stands for itself, at some place among zeros.
void expect_special_binned_sums(runtime::Engine& engine, const Plan& plan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const FloatingFormat format = tuner::format_of(plan.problem().input);
  const double most = std::ldexp(2.0 - std::ldexp(1.0, 1 - format.digits), format.greatest_exponent);
  const double least = std::ldexp(1.0, format.least_exponent - format.digits + 1);
  const std::uint64_t gap = plan.source().launch.items_per_tile / 2 + 3;
  const auto expect_sum = [&](const std::vector<double>& numbers, double wanted) {
    std::vector<double> items(gap * numbers.size() + 2, -0.0);
    for (std::size_t i = 0; i < numbers.size(); ++i) items[i * gap + 1] = numbers[i];
    const double got = run_binned(engine, plan, items, 0);
    EXPECT_TRUE(is_binned_sum(engine, plan, items));
    EXPECT_TRUE(got == wanted || (std::isnan(got) && std::isnan(wanted))) << got << " instead of " << wanted;
    EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << got;
  };
  SCOPED_TRACE(to_string(plan.problem()) + " " + to_json(plan.config()));
  expect_sum({1, infinite, 2, -3}, infinite);
  expect_sum({1, 2, -infinite, -most}, -infinite);
  expect_sum({infinite, 1, -infinite}, nan);
  expect_sum({1, nan, 2}, nan);
  expect_sum({-infinite, nan}, nan);
  expect_sum({most, most, -most}, most);  // no sum on the way is infinite
  expect_sum({-most, 1, -most}, -infinite);
  expect_sum({most, most / 2}, infinite);
  expect_sum({least, least, least}, 3 * least);
  expect_sum({-least, most, -most}, tuner::format_of(plan.problem().input).digits == 11 ? -least : 0.0);
  expect_sum({-0.0, -0.0}, 0.0);
  const double last = std::ldexp(1.0, 1 - format.digits);  // the last digit of 1
  expect_sum({1, last / 2}, 1);
  expect_sum({-1 - last, -last / 2}, -1 - 2 * last);
  expect_sum({2 - last, last / 2}, 2);
  if (plan.problem().accumulator == plan.problem().output && format.digits > 20) {
    expect_sum({1, last / 2, last / 1024}, 1 + last);
    expect_sum({1, last / 2, -last / 1024}, 1);
  }
  expect_sum({1, -1}, 0.0);
}

// Each schedule, and each way to load, fold and exchange; the types take turns.
const std::vector<Config>& binned_ways() {
  static const std::vector<Config> ways{
      {"sequential", {}},
      {"single_block", {}},
      {"last_block", {{"block_reduce", "raking"}}},
      {"last_started", {{"descriptor", "split"}, {"block_reduce", "warp_reduces"}}},
      {"last_block", {{"accumulate", "per_tile"}, {"load", "warp_transpose"}, {"items_per_thread", 2}}},
      {"single_block", {{"load", "direct"}, {"items_per_thread", 3}, {"block_reduce", "raking"}}},
      {"last_started", {{"items_per_thread", 32}, {"threads_per_block", 64}}},
      {"last_block", {{"load", "direct"}, {"items_per_thread", 1}}},
      {"ladder", {{"step", "sequential"}}},
      {"ladder", {{"step", "multiple_items"}}}};
  return ways;
}

TEST(BinnedSums, AreTheSameBitsForEveryConfigAndOrder) {
  const auto engine = test::host_engine();
  std::set<std::string> schedules;
  std::set<Type> types;
  std::size_t turn = 0;
  for (const Config& way : binned_ways()) {
    const Type type = binned_types[(turn + turn / 4) % binned_types.size()];
    ++turn;
    const Plan plan = binned_plan(*engine, binned_sum_of(type), way);
    EXPECT_TRUE(plan.reproducible());
    expect_binned_sums(*engine, plan);
    expect_special_binned_sums(*engine, plan);
    schedules.insert(way.schedule);
    types.insert(type);
  }
  EXPECT_EQ(types.size(), binned_types.size());
  const Space space(binned_sum_of(Type::f32), engine->device().limits());
  EXPECT_EQ(schedules.size(), space.schedules().size()) << "a schedule is missing";
}

TEST(BinnedSums, AreThoseOfTheTypesOfTheProblem) {
  struct Types {
    Type input, accumulator, output;
  };
  const auto engine = test::host_engine();
  for (const Types& types : {Types{Type::f32, Type::f64, Type::f32},
                             {Type::bf16, Type::f16, Type::f64},
                             {Type::f32, Type::bf16, Type::bf16}}) {
    Problem problem = binned_sum_of(types.input);
    problem.accumulator = types.accumulator;
    problem.output = types.output;
    expect_binned_sums(*engine, binned_plan(*engine, problem, {"single_block", {}}));
  }
}

TEST(BinnedSums, AreTheSameBitsUnderHostileSchedules) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  for (const auto& [schedule, type] : {std::pair{"last_block", Type::f32}, {"last_started", Type::f64}}) {
    const Plan plan = binned_plan(*engine, binned_sum_of(type), {schedule, {{"threads_per_block", 64}}});
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      const std::uint64_t n = seed * 97 % (3 * plan.source().launch.items_per_tile);
      ASSERT_TRUE(is_binned_sum(*engine, plan, test::numbers_for_bins(type, n, static_cast<int>(seed), seed), 1))
          << "seed " << seed;
    }
  }
}

// docs/determinism.md: of the sum one half of the last digit, and of each item one half of the unit, which is at most
// 2^-45 of the largest magnitude (f64: 2^-103, bf16: 2^-22, f16: none).
TEST(BinnedSums, AreWithinTheirBound) {
  for (const Type type : {Type::f16, Type::bf16, Type::f32}) {
    const Problem problem = binned_sum_of(type);
    for (int turn = 0; turn < 4; ++turn) {
      const std::uint64_t n = 3000, seed = 17 + static_cast<std::uint64_t>(turn);
      const std::vector<double> numbers = test::numbers_for_bins(type, n, turn, seed);
      test::ExactSum exact;
      double largest = 0;
      for (const double number : numbers) {
        exact.add(number);
        largest = std::max(largest, std::abs(number));
      }
      const double per_item = type == Type::f16 ? 0 : std::ldexp(largest, type == Type::bf16 ? -23 : -46);
      const double of_result = std::ldexp(std::abs(exact.value()), -24) +
                               std::ldexp(std::abs(exact.value()), -tuner::format_of(type).digits);
      const double wanted = test::binned_sum(problem, numbers);
      if (std::isinf(wanted)) continue;
      EXPECT_LE(exact.distance(wanted), 1.001 * of_result + static_cast<double>(n) * per_item)
          << name(type) << ", seed " << seed;
    }
  }
}

TEST(BinnedSums, AreNotUndoneByFastMathematics) {
  const test::Variable fast("UPSWEEP_CXX", "c++ -O2 -ffast-math");
  const auto engine = test::host_engine();
  for (const Type type : {Type::f32, Type::f64}) {
    const Plan plan = binned_plan(*engine, binned_sum_of(type), {"single_block", {}});
    for (int turn = 0; turn < 4; ++turn) {
      const std::vector<double> numbers = test::numbers_for_bins(type, 700, turn, 5);
      EXPECT_TRUE(is_binned_sum(*engine, plan, numbers)) << "turn " << turn;
    }
    EXPECT_TRUE(is_binned_sum(*engine, plan, {1, infinite, 2}));
    EXPECT_TRUE(is_binned_sum(*engine, plan, {-0.0}));
  }
}

TEST(BinnedSums, OfAReproducibleContextMayUseAnyConfig) {
  Context context{{.device = "host", .database = "none", .record_wanted = false, .reproducible = true}};
  std::vector<float> in(5000);
  std::mt19937 random(3);
  for (float& item : in) item = std::ldexp(1.0f + 1.0f / float(random() % 64 + 1), int(random() % 60) - 30);
  std::set<float> sums;
  for (int order = 0; order < 5; ++order) {
    std::shuffle(in.begin(), in.end(), random);
    float out = 0;
    context.reduce(in.data(), &out, in.size(), Accuracy::binned, 0.5f);
    sums.insert(out);
  }
  EXPECT_EQ(sums.size(), 1u);
  const float initial = 0.5f;
  float out = 0;
  context.reduce(in.data(), &out, in.size(), Accuracy::binned, in_memory(&initial));
  EXPECT_EQ(out, *sums.begin());
  Problem problem = binned_sum_of(Type::f32);
  for (const char* schedule : {"last_block", "last_started", "sequential"}) {
    EXPECT_TRUE(is_reproducible(problem, {schedule, {}})) << schedule;
  }
}

}  // namespace
}  // namespace upsweep
