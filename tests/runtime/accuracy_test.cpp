// Sums with an error term on the host device: every schedule, method and type against sums without rounding;
// infinities, NaN and zeros; and that a compiler's fast mathematics does not undo them.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/accurate_sums.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/strategies.hpp"
#include "tests/support/variable.hpp"
#include "tuner/verify/data.hpp"
#include "tuner/verify/number.hpp"

namespace upsweep {
namespace {

constexpr std::array methods{Accuracy::kahan, Accuracy::neumaier, Accuracy::double_double};
constexpr std::array sum_types{Type::f16, Type::bf16, Type::f32, Type::f64};
constexpr std::array scan_algorithms{Algorithm::inclusive_scan, Algorithm::reverse_inclusive_scan,
                                     Algorithm::exclusive_scan, Algorithm::reverse_exclusive_scan};

Problem sum_of(Algorithm algorithm, Type type, Accuracy accuracy) {
  Problem problem = make_problem(algorithm, plus, type, type);
  problem.accuracy = accuracy;
  return problem;
}

Plan plan_with_small_tiles(runtime::Engine& engine, const Problem& problem, const Config& partial) {
  const Space space(problem, engine.device().limits());
  Config config = test::with_small_tiles(space, space.complete(partial));
  for (const auto& [name, value] : partial.values) config.values[name] = value;
  return engine.plan(problem, config, nullptr);
}

// Of one item, around a tile, and of several tiles.
void expect_within_bound(runtime::Engine& engine, const Plan& plan) {
  const Problem& problem = plan.problem();
  const std::uint64_t tile = plan.source().launch.items_per_tile, most = 3 * tile + 5;
  const std::vector<std::byte> items = test::cancelling_items(problem.input, most, tile);
  // Of which no error term is lost, whatever the method: only results round.
  const std::vector<std::byte> exact_items = tuner::make_data(problem, most, tile);
  Problem exact = problem;
  exact.accuracy = Accuracy::double_double;
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile, tile + 1, most}) {
    const double depth = plan.config().schedule == "sequential" ? static_cast<double>(n) : 64;
    EXPECT_EQ(test::sum_and_compare(engine.device(), plan, problem, items, n, -1.5, depth), std::nullopt)
        << to_string(problem) << " " << to_json(plan.config()) << ", seed " << tile;
    EXPECT_EQ(test::sum_and_compare(engine.device(), plan, exact, exact_items, n, 5, 0), std::nullopt)
        << to_string(problem) << " " << to_json(plan.config()) << ", data of the tuner, seed " << tile;
  }
}

// The result of a reduce, or the last one of a scan. The numbers are spread over some tiles, between zeros.
double last_sum(runtime::Engine& engine, const Plan& plan, const std::vector<double>& numbers) {
  const Problem& problem = plan.problem();
  const std::uint64_t gap = plan.source().launch.items_per_tile / 2 + 3, n = gap * numbers.size() + 2;
  const std::size_t item = size_of(problem.input);
  std::vector<std::byte> items(n * item);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    tuner::store_number(problem.input, {.floating = numbers[i]}, items.data() + (i * gap + 1) * item);
  }
  const std::vector<double> sums =
      test::sums_of(engine.device(), plan, items, n, identity(problem.op, problem.accumulator));
  return is_backward(problem) ? sums.front() : sums.back();
}

// Each follows from what IEEE 754 says of a plain sum.
void expect_special_sums(runtime::Engine& engine, const Plan& plan) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const FloatingFormat format = tuner::format_of(plan.problem().input);
  const double most = std::ldexp(2.0 - std::ldexp(1.0, 1 - format.digits), format.greatest_exponent);
  const double least = std::ldexp(1.0, format.least_exponent - format.digits + 1);
  const auto sum = [&](const std::vector<double>& numbers) { return last_sum(engine, plan, numbers); };
  SCOPED_TRACE(to_string(plan.problem()) + " " + to_json(plan.config()));
  EXPECT_EQ(sum({1, infinity, 2, -3}), infinity);
  EXPECT_EQ(sum({1, 2, -infinity}), -infinity);
  EXPECT_TRUE(std::isnan(sum({infinity, 1, -infinity, 2})));
  EXPECT_TRUE(std::isnan(sum({1, nan, 2})));
  EXPECT_EQ(sum({most, most, 1, 2}), infinity);
  EXPECT_EQ(sum({-most, 1, -most, 2}), -infinity);
  const double quarter = std::ldexp(1.0, format.greatest_exponent - format.digits - 1);  // of the last digit of `most`
  EXPECT_EQ(sum({most, quarter}), most);
  EXPECT_EQ(sum({most, quarter, quarter, quarter}), infinity);
  if (plan.problem().accuracy != Accuracy::kahan) {  // whose error term takes its part of a greater item with it
    EXPECT_EQ(sum({3, most, -most / 2, -most / 2, 4}), 7);
  }
  EXPECT_EQ(sum({least, least, least}), 3 * least);
}

struct Way {
  Algorithm algorithm;
  Config config;
};

// Of both, every schedule, and what exchanges and folds values in other ways than these by default.
std::vector<Way> ways() {
  std::vector<Way> found;
  const DeviceLimits& limits = test::host_engine()->device().limits();
  int turn = 0;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    const Space space(sum_of(algorithm, Type::f32, Accuracy::kahan), limits);
    for (const Schedule* schedule : space.schedules()) {
      const bool scans = algorithm != Algorithm::reduce;
      found.push_back({scans ? scan_algorithms[turn++ % 4] : algorithm, {std::string(schedule->name()), {}}});
    }
  }
  found.push_back({Algorithm::exclusive_scan, {"lookback", {{"descriptor", "split"}, {"block_scan", "raking"}}}});
  found.push_back({Algorithm::reverse_exclusive_scan, {"lookahead", {{"descriptor", "split"}}}});
  found.push_back({Algorithm::inclusive_scan, {"chained", {{"warp_scan", "brent_kung"}, {"items_per_thread", 1}}}});
  found.push_back({Algorithm::reduce, {"last_block", {{"accumulate", "per_tile"}, {"load", "warp_transpose"}}}});
  found.push_back({Algorithm::reduce, {"last_started", {{"descriptor", "split"}, {"block_reduce", "raking"}}}});
  return found;
}

TEST(AccurateSums, OfEveryScheduleAreNearTheExactSum) {
  const auto engine = test::host_engine();
  std::set<std::string> schedules;
  std::set<std::pair<Accuracy, Type>> met;
  std::size_t turn = 0;
  for (const Way& way : ways()) {
    const Accuracy method = methods[turn % methods.size()];
    const Type type = sum_types[turn++ % sum_types.size()];
    const Plan plan = plan_with_small_tiles(*engine, sum_of(way.algorithm, type, method), way.config);
    expect_within_bound(*engine, plan);
    if (way.algorithm != Algorithm::exclusive_scan) expect_special_sums(*engine, plan);
    schedules.insert(way.config.schedule);
    met.emplace(method, type);
  }
  EXPECT_GE(schedules.size(), 9u);
  EXPECT_EQ(met.size(), methods.size() * sum_types.size());
}

// The error term of an infinite sum is no number, and reaches other threads with it.
TEST(AccurateSums, OfAnInfiniteFirstItemAreInfinite) {
  const auto engine = test::host_engine();
  for (const auto& [type, method] : {std::pair{Type::f16, Accuracy::kahan}, {Type::bf16, Accuracy::neumaier}}) {
    const Plan plan =
        plan_with_small_tiles(*engine, sum_of(Algorithm::inclusive_scan, type, method), {"lookahead", {}});
    const std::uint64_t n = 2 * plan.source().launch.items_per_tile;
    std::vector<std::byte> items(n * size_of(type));
    tuner::store_number(type, {.floating = std::numeric_limits<double>::infinity()}, items.data());
    EXPECT_THAT(test::sums_of(engine->device(), plan, items, n, identity(plus, plan.problem().accumulator)),
                testing::Each(std::numeric_limits<double>::infinity()))
        << to_string(plan.problem());
  }
}

TEST(AccurateSums, RoundToTheOutputType) {
  struct Types {
    Type input, accumulator, output;
  };
  const auto engine = test::host_engine();
  std::size_t turn = 0;
  for (const Types& types : {Types{Type::f32, Type::f64, Type::f32},
                             {Type::bf16, Type::f32, Type::f16},
                             {Type::f16, Type::f16, Type::f64},
                             {Type::f32, Type::bf16, Type::f32}}) {
    const Algorithm algorithm = turn % 2 == 0 ? Algorithm::reduce : Algorithm::exclusive_scan;
    Problem problem = sum_of(algorithm, types.input, methods[turn++ % methods.size()]);
    problem.accumulator = types.accumulator;
    problem.output = types.output;
    expect_within_bound(*engine, plan_with_small_tiles(*engine, problem, {"single_block", {}}));
  }
}

// A sequential sum of f32 as it is, by each method, and what its bound says of a plain one.
TEST(AccurateSums, AreWhatPlainOnesAreNot) {
  const auto engine = test::host_engine();
  const Config config{"sequential", {}};
  const Plan plain = engine->plan(sum_of(Algorithm::reduce, Type::f32, Accuracy::plain), config, nullptr);
  std::map<Accuracy, Plan> plans;
  for (const Accuracy method : methods) {
    plans.emplace(method, engine->plan(sum_of(Algorithm::reduce, Type::f32, method), config, nullptr));
  }
  const auto bits = [](float value) { return static_cast<double>(value); };
  // 0.1f, many times: the exact sum is a product.
  const std::uint64_t n = 30'000;
  std::vector<std::byte> tenths(n * sizeof(float));
  for (std::uint64_t i = 0; i < n; ++i) tuner::store_number(Type::f32, {.floating = 0.1}, tenths.data() + i * 4);
  const auto sum = [&](const Plan& plan, const std::vector<std::byte>& items) {
    return test::sums_of(engine->device(), plan, items, items.size() / sizeof(float), Scalar::of(0.0f)).at(0);
  };
  const double exact = bits(0.1f) * static_cast<double>(n), ulp = std::ldexp(1.0, 11 - 23);
  EXPECT_GT(std::abs(sum(plain, tenths) - exact), 1000 * ulp);
  for (const auto& [method, plan] : plans) {
    EXPECT_LE(std::abs(sum(plan, tenths) - exact), ulp) << name(method);
  }
  // What cancels: Kahan's error term is lost with the small number before the large ones, and Neumaier's is not.
  std::vector<std::byte> items(4 * sizeof(float));
  const std::array<double, 4> numbers{1, 1e30, 1, -1e30};
  for (std::size_t i = 0; i < 4; ++i) tuner::store_number(Type::f32, {.floating = numbers[i]}, items.data() + i * 4);
  EXPECT_EQ(sum(plain, items), 0);
  EXPECT_EQ(sum(plans.at(Accuracy::kahan), items), 0);
  EXPECT_EQ(sum(plans.at(Accuracy::neumaier), items), 2);
  EXPECT_EQ(sum(plans.at(Accuracy::double_double), items), 2);
  // Data on which a plain sum is beyond the bounds.
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<std::byte> cancelling = test::cancelling_items(Type::f32, 300, seed);
    for (const auto& [method, plan] : plans) {
      EXPECT_EQ(test::sum_and_compare(engine->device(), plan, plan.problem(), cancelling, 300, 0, 300), std::nullopt)
          << "seed " << seed;
      if (method == Accuracy::kahan) continue;
      EXPECT_NE(test::sum_and_compare(engine->device(), plain, plan.problem(), cancelling, 300, 0, 300), std::nullopt)
          << "seed " << seed;
    }
  }
}

// -0 alone, and what cancels.
TEST(AccurateSums, ThatAreZeroArePositive) {
  const auto engine = test::host_engine();
  for (const Accuracy method : methods) {
    const Plan plan = engine->plan(sum_of(Algorithm::inclusive_scan, Type::f32, method), {"single_block", {}}, nullptr);
    std::vector<std::byte> items;
    for (const float value : {-0.0f, -0.0f, 0.5f, -0.5f, -0.0f}) {
      const Scalar scalar = Scalar::of(value);
      items.insert(items.end(), scalar.bytes.begin(), scalar.bytes.begin() + sizeof value);
    }
    const std::vector<double> sums = test::sums_of(engine->device(), plan, items, 5, {});
    EXPECT_THAT(sums, testing::ElementsAre(0, 0, 0.5, 0, 0)) << name(method);
    for (const double sum : sums) EXPECT_FALSE(std::signbit(sum)) << name(method);
  }
}

TEST(AccurateSums, AreNotUndoneByFastMathematics) {
  const test::Variable fast("UPSWEEP_CXX", "c++ -O2 -ffast-math");
  const auto engine = test::host_engine();
  const std::vector<std::byte> items = test::cancelling_items(Type::f32, 300, 1);
  for (const Accuracy method : methods) {
    const Problem problem = sum_of(Algorithm::reduce, Type::f32, method);
    const Plan plan = engine->plan(problem, {"sequential", {}}, nullptr);
    EXPECT_EQ(test::sum_and_compare(engine->device(), plan, problem, items, 300, 0, 300), std::nullopt);
    EXPECT_EQ(last_sum(*engine, plan, {1, std::numeric_limits<double>::infinity(), 2}),
              std::numeric_limits<double>::infinity());
  }
}

// Calls of a context find plans by the whole problem, and the initial value may lie in device memory.
TEST(AccurateSums, OfAContextAreThoseOfTheProblem) {
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<float> in{1e30f, 1, -1e30f, 1};
  const float initial = 0.5f;
  for (const auto& [method, expected] :
       {std::pair{Accuracy::plain, 1.5f}, {Accuracy::neumaier, 2.5f}, {Accuracy::double_double, 2.5f}}) {
    Problem problem = sum_of(Algorithm::reduce, Type::f32, method);
    problem.size = in.size();
    float out = 0;
    const Plan plan = context.plan(problem);
    EXPECT_EQ(plan.problem().accuracy, method);
    plan.run(Arguments(in.size()).array("in", in.data()).array("out", &out).scalar_in_memory("initial", &initial));
    EXPECT_EQ(out, expected) << name(method);
    context.reduce(in.data(), &out, in.size(), method, initial);
    EXPECT_EQ(out, expected) << name(method);
  }
  std::vector<float> sums(in.size());
  context.exclusive_scan(in.data(), sums.data(), in.size(), Accuracy::neumaier);
  EXPECT_THAT(sums, testing::ElementsAre(0, 1e30f, 1e30f, 1));
  context.reverse_inclusive_scan(in.data(), sums.data(), in.size(), Accuracy::neumaier);
  EXPECT_THAT(sums, testing::ElementsAre(2, -1e30f, -1e30f, 1));
  const std::vector<int> integers(2);
  std::vector<int> none(2);
  EXPECT_EQ(
      test::error_of<UsageError>([&] { context.inclusive_scan(integers.data(), none.data(), 2, Accuracy::kahan); }),
      "accuracy kahan is for sums of f16, bf16, f32 and f64, not of i32: use one of these types, or leave out the "
      "accuracy");
}

}  // namespace
}  // namespace upsweep
