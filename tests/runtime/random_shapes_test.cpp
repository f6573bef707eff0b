// Rows, axes and segments of random extents on the host device, which checks that barriers order all accesses, and
// which runs the threads in hostile orders: 200 shapes for each of six types and four operators, at each alignment and
// in place.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/axis.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/rows.hpp"
#include "tests/support/segments.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

constexpr Type types[] = {Type::i8, Type::i16, Type::u32, Type::u64, Type::f32, Type::f64};
constexpr Operator operators[] = {Operator::plus, Operator::maximum, Operator::minimum, Operator::last_nonzero};
constexpr int shapes_of_each = 200;

const test::Layout layouts_of_random_shapes[] = {
    {}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}, {.in_offset = 2}, {.out_offset = 1}};

// From 1 to `most`, as often of each power of two.
std::uint64_t random_extent(std::uint64_t most, std::mt19937_64& random) {
  const std::uint64_t power = std::uint64_t{1} << random() % 12;
  return std::clamp<std::uint64_t>(power + random() % power * (random() % 4 != 0 ? 1 : 0), 1, most);
}

Axis random_axis(std::uint64_t items, std::mt19937_64& random) {
  const std::uint64_t inner = random_extent(items, random), length = random_extent(items / inner, random);
  return axis(1 + random() % std::max<std::uint64_t>(1, items / inner / length), length, inner);
}

test::PortCase random_case(const Problem& problem, std::uint64_t seed, std::string& text) {
  std::mt19937_64 random(seed);
  const std::uint64_t items = random_extent(3000, random);
  if (problem.shape == Shape::rows) {
    const std::uint64_t length = random_extent(items, random);
    text = fmt::format("{} rows of {}", items / length, length);
    return test::make_rows_case(problem, rows(items / length, length), seed);
  }
  if (problem.shape == Shape::axis) {
    const Axis shape = random_axis(items, random);
    text = fmt::format("{} x {} x {}", shape.outer(), shape.length(), shape.inner());
    return test::make_axis_case(problem, shape, seed);
  }
  const std::vector<std::uint64_t> offsets = test::offsets_of(test::mixed_lengths(items, seed));
  text = fmt::format("{} segments, the last of which ends at {}", offsets.size() - 1, offsets.back());
  return test::make_segments_case(problem, offsets, offsets.back(), seed);
}

struct Operation {
  int number;
  int turn;  // of the schedules: across the types, each operator meets all of them
  Type type;
  Operator op;
};

void PrintTo(const Operation& operation, std::ostream* out) {
  *out << name(operation.op) << " " << name(operation.type);
}

// Of each shape a scan and a reduce.
std::vector<Problem> problems_of(const Operation& operation) {
  const Algorithm scan = operation.number / 4 % 2 == 0 ? Algorithm::inclusive_scan : Algorithm::exclusive_scan;
  const Type offsets = operation.number % 3 == 0 ? Type::u64 : Type::u32;
  std::vector<Problem> all;
  for (const Algorithm algorithm : {scan, Algorithm::reduce}) {
    all.push_back(test::rows_of_type(algorithm, operation.op, operation.type));
    all.push_back(test::axis_of_type(algorithm, operation.op, operation.type));
    all.push_back(test::segments_of_type(algorithm, operation.op, operation.type, offsets));
  }
  return all;
}

// The schedules take turns, with small tiles, so that small calls have several of them.
Config config_of_turn(const Problem& problem, const DeviceLimits& limits, int turn) {
  const Space space(problem, limits);
  std::vector<std::string> names;
  for (const ScheduleInfo& schedule : space.describe()) {
    if (schedule.name != "sequential") names.push_back(schedule.name);
  }
  const std::string& name = names[static_cast<std::size_t>(turn) % names.size()];
  return test::with_small_tiles(space, space.complete({.schedule = name, .values = {}}));
}

// Also what stops a launch, such as accesses that no barrier orders.
std::optional<std::string> outcome_of(runtime::Device& device, const Plan& plan, const test::PortCase& call,
                                      const test::Layout& layout) {
  try {
    return test::run_and_compare(device, plan, call, layout);
  } catch (const std::exception& error) {
    return error.what();
  }
}

class RandomShapes : public testing::TestWithParam<Operation> {};

TEST_P(RandomShapes, AreRightUnderHostileSchedules) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  std::vector<Plan> plans;
  for (const Problem& problem : problems_of(GetParam())) {
    plans.push_back(engine->plan(problem, config_of_turn(problem, device->limits(), GetParam().turn), nullptr));
  }
  for (int i = 0; i < shapes_of_each; ++i) {
    const std::uint64_t seed = static_cast<std::uint64_t>(GetParam().number * shapes_of_each + i + 1);
    const Plan& plan = plans[static_cast<std::size_t>(i) % plans.size()];
    std::string shape;
    const test::PortCase call = random_case(plan.problem(), seed, shape);
    device->set_schedule(test::hostile_schedule(seed));
    ASSERT_EQ(outcome_of(*device, plan, call, layouts_of_random_shapes[i % 5]), std::nullopt)
        << to_string(plan.problem()) << " " << to_json(plan.config()) << ", " << shape << ", seed " << seed
        << ", layout " << i % 5;
  }
}

std::vector<Operation> operations() {
  std::vector<Operation> all;
  for (const Type type : types) {
    for (const Operator op : operators) {
      const int number = static_cast<int>(all.size());
      all.push_back({number, number / 4 + number % 4, type, op});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, RandomShapes, testing::ValuesIn(operations()), [](const auto& given) {
  return fmt::format("{}_{}", name(given.param.op), name(given.param.type));
});

}  // namespace
}  // namespace upsweep
