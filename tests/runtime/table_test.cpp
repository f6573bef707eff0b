// Every algorithm x operator x type, and every strategy, executed on the host device against a sequential loop.
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/space_points.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::Data;

// A valid config with tiles small enough that several of them are quick to run: which one depends on the problem.
Config small_config(const Space& space, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  while (true) {
    Config config = test::with_small_tiles(space, test::sample(space, random));
    if (generate_steps(space.problem(), config).front().launch.items_per_tile <= 1024) return config;
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
  // Each type meets every schedule, with as few operators as that takes: integers have eight in a row, floating-point
  // types have plus, multiplies, minimum and maximum, and complex ones the first two.
  const auto schedules = space.schedules();
  const std::size_t step = is_integer(problem.input) ? 8 : is_complex(problem.input) ? 2 : 4;
  for (std::size_t i = (static_cast<std::size_t>(problem.op) + static_cast<std::size_t>(problem.input)) % step;
       i < schedules.size(); i += step) {
    Config config = test::with_small_tiles(space, space.complete({std::string(schedules[i]->name()), {}}));
    for (const auto& [parameter, type] : {std::pair{"load", problem.input}, {"store", problem.output}}) {
      const bool fills_vectors = size_of(type) < 16;  // else one item is all that an access moves
      if (config.values.contains(parameter)) config.values[parameter] = fills_vectors ? "vectorized" : "direct";
    }
    if (config.values.contains("items_per_thread")) config.values["items_per_thread"] = 16;
    const Plan plan = engine->plan(problem, config, nullptr);
    for (const std::uint64_t n : {std::uint64_t{3}, tile_of(plan) - 1, 3 * tile_of(plan) + 5}) {
      for (const auto& layout : test::misaligned_layouts(problem)) {
        EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n, layout), std::nullopt)
            << to_json(config);
      }
    }
  }
}

std::vector<Problem> table() {
  std::vector<Problem> problems = test::all_problems();
  for (const Problem& mixed : test::mixed_problems()) problems.push_back(mixed);
  return problems;
}

INSTANTIATE_TEST_SUITE_P(Problems, Table, testing::ValuesIn(table()),
                         [](const auto& parameter) { return test::test_name(parameter.param); });

// affine does not commute and holds 64-bit words; i8 sums have 16 items to a vector, c128 takes two words a value. What
// differs in an exclusive scan does not depend on how wide a value is: two operations do.
std::vector<test::Strategy> strategies() {
  std::vector<Problem> problems = test::problems_of({{Operator::affine, Type::u64}, {Operator::plus, Type::i8}});
  for (const Problem& problem : test::problems_of({{Operator::affine, Type::u32}, {Operator::plus, Type::c128}})) {
    if (problem.algorithm != Algorithm::exclusive_scan) problems.push_back(problem);
  }
  const std::vector<test::Strategy> all =
      test::strategies(problems, test::host_engine()->device().limits(), test::Tiles::small);
  // Of the problems that meet a strategy, every second one does: which of the two halves depends on the strategy. The
  // GPU's suite has all.
  const auto name_of = [](const test::Strategy& each) {
    return each.name.substr(test::test_name(each.problem).size());
  };
  std::map<std::string, std::size_t> count, met;
  for (const test::Strategy& each : all) ++count[name_of(each)];
  std::vector<test::Strategy> found;
  for (const test::Strategy& each : all) {
    const std::string name = name_of(each);
    const std::size_t half = std::hash<std::string>{}(name) % 2;
    if (met[name]++ % 2 == half || count[name] == 1) found.push_back(each);
  }
  return found;
}

class Strategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(Strategies, MatchSequentialLoop) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (const std::uint64_t n : {std::uint64_t{1}, tile_of(plan) - 1, 4 * tile_of(plan) + 33}) {
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, Data::random, n), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, testing::ValuesIn(strategies()), test::by_name);

}  // namespace
}  // namespace upsweep
