// Every algorithm x operator x type, and every strategy, executed on the host device against a sequential loop.
#include <random>

#include <gtest/gtest.h>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep {
namespace {

using test::Data;

// A valid config with tiles small enough that several of them are quick to run: which one depends on the problem.
Config small_config(const Space& space, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  while (true) {
    Config config = space.sample(random);
    if (config.integer("threads_per_block") * config.integer("items_per_thread") <= 1024) return config;
  }
}

std::uint64_t tile_of(const Plan& plan) {
  return plan.source().launch.items_per_tile;
}

class Table : public testing::TestWithParam<Problem> {};

TEST_P(Table, AllSizes) {
  const Problem problem = GetParam();
  const auto engine = test::host_engine();
  const Space space(problem, engine->device().limits());
  const std::uint64_t seed = std::hash<std::string>{}(to_string(problem)) % 1000;
  const Plan plan = engine->plan(problem, small_config(space, seed), nullptr);
  for (const std::uint64_t n : test::awkward_sizes(tile_of(plan))) {
    for (const Data data : {Data::random, Data::constant}) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, data, seed + n), std::nullopt);
    }
  }
}

TEST_P(Table, MisalignedAndInPlace) {
  const Problem problem = GetParam();
  const auto engine = test::host_engine();
  const Space space(problem, engine->device().limits());
  Config config = space.default_config();
  for (const char* parameter : {"load", "store"}) {
    if (config.values.contains(parameter)) config.values[parameter] = "vectorized";
  }
  config.values["items_per_thread"] = 16;
  config.values["threads_per_block"] = 32;
  const Plan plan = engine->plan(problem, config, nullptr);
  for (const std::uint64_t n : {tile_of(plan) - 1, 3 * tile_of(plan) + 5}) {
    for (const auto& layout :
         {test::Layout{.in_offset = 1}, test::Layout{.out_offset = 3}, test::Layout{.in_offset = 1, .out_offset = 2}}) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n, layout), std::nullopt);
    }
    if (size_of(problem.input) != size_of(problem.output)) continue;
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n, {.in_place = true}), std::nullopt);
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n, {.in_place = true, .in_offset = 1}),
              std::nullopt);
  }
}

std::vector<Problem> table() {
  std::vector<Problem> problems = test::all_problems();
  for (const Problem& mixed : test::mixed_problems()) problems.push_back(mixed);
  return problems;
}

INSTANTIATE_TEST_SUITE_P(Problems, Table, testing::ValuesIn(table()),
                         [](const auto& parameter) { return test::test_name(parameter.param); });

// Every value of every parameter of every schedule, in a config that is otherwise small.
struct Strategy {
  Problem problem;
  Config config;
  std::string name;
};

std::vector<Strategy> strategies() {
  std::vector<Strategy> found;
  for (const Algorithm algorithm : all_algorithms()) {
    // affine does not commute and holds 64-bit words; i8 sums have 16 items to a vector.
    for (const auto& [op, type] :
         {std::pair{Operator::affine, Type::u64}, {Operator::affine, Type::u32}, {Operator::plus, Type::i8}}) {
      const Problem problem = make_problem(algorithm, op, type, type);
      const Space space(problem, DeviceLimits{});
      for (const Schedule* schedule : space.schedules()) {
        for (const Parameter& parameter : schedule->parameters(problem)) {
          for (const ParameterValue& value : parameter.values) {
            Config config = space.complete({.schedule = std::string(schedule->name()), .values = {}});
            config.values["threads_per_block"] = 64;
            config.values["items_per_thread"] = 8;
            config.values[parameter.name] = value;
            const bool costly = parameter.name == "items_per_thread" && std::get<std::int64_t>(value) % 5 != 0;
            if (costly || !space.contains(config)) continue;
            found.push_back(
                {problem, config,
                 test::test_name(problem) + "_" + config.schedule + "_" + parameter.name + "_" + to_string(value)});
          }
        }
      }
    }
  }
  return found;
}

class Strategies : public testing::TestWithParam<Strategy> {};

TEST_P(Strategies, MatchSequentialLoop) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (const std::uint64_t n : {std::uint64_t{1}, tile_of(plan) - 1, 4 * tile_of(plan) + 33}) {
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, testing::ValuesIn(strategies()),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace upsweep
