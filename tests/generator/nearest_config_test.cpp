// Partial configs are completed by the nearest config that is valid: compared with a search of all combinations.
#include "generator/nearest_config.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "generator/config_json.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"

namespace upsweep {
namespace {

const DeviceLimits this_device = limits_of_architecture("sm_90");

double distance(const Config& from, const Config& to) {
  double sum = 0;
  for (const auto& [name, value] : from.values) {
    const ParameterValue& other = to.values.at(name);
    if (value == other) continue;
    const auto* const a = std::get_if<std::int64_t>(&value);
    sum += a == nullptr ? 1
                        : std::abs(std::log2((static_cast<double>(*a) + 1) /
                                             (static_cast<double>(std::get<std::int64_t>(other)) + 1)));
  }
  return sum;
}

// Of all combinations of the values of two parameters, the one that is valid and nearest.
std::optional<Config> nearest_of_all(const Space& space, const Config& start, const Parameter& one,
                                     const Parameter& two) {
  std::optional<Config> best;
  for (const ParameterValue& first : one.values) {
    for (const ParameterValue& second : two.values) {
      Config config = start;
      config.values[one.name] = first;
      config.values[two.name] = second;
      if (space.contains(config) && (!best || distance(start, config) < distance(start, *best))) best = config;
    }
  }
  return best;
}

TEST(NearestConfig, IsTheNearestOfAllCombinations) {
  constexpr unsigned seed = 1;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int mended = 0, impossible = 0;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    for (const Type type : {Type::i8, Type::i32, Type::c128}) {
      const Space space(make_problem(algorithm, Operator::plus, type, type), this_device);
      for (const Schedule* schedule : space.schedules()) {
        const std::vector<Parameter> parameters = schedule->parameters(space.problem());
        if (parameters.size() < 3) continue;  // nothing to choose
        for (int i = 0; i < 60; ++i) {
          Config start = schedule->defaults(space.problem(), this_device);
          const Parameter& one = parameters[random() % parameters.size()];
          const Parameter& two = parameters[random() % parameters.size()];
          const Parameter& wrong = parameters[random() % parameters.size()];
          if (&one == &two || &one == &wrong || &two == &wrong) continue;
          start.values[wrong.name] = wrong.values[random() % wrong.values.size()];
          if (space.contains(start)) continue;
          Config given = start;
          given.values.erase(one.name);
          given.values.erase(two.name);
          const std::optional<Config> found = nearest_config(space, parameters, start, given);
          const std::optional<Config> expected = nearest_of_all(space, start, one, two);
          ASSERT_EQ(found.has_value(), expected.has_value()) << to_json(start) << ' ' << one.name << ' ' << two.name;
          if (found) {
            EXPECT_TRUE(space.contains(*found)) << to_json(*found);
            EXPECT_DOUBLE_EQ(distance(start, *found), distance(start, *expected))
                << to_json(start) << "\nfound    " << to_json(*found) << "\nexpected " << to_json(*expected);
          }
          ++(found ? mended : impossible);
        }
      }
    }
  }
  EXPECT_GT(mended, 20);
  EXPECT_GT(impossible, 20);
}

// One more stage asks for a little less shared memory of something else, and not for the least of everything.
TEST(NearestConfig, ChangesNoMoreThanNeeded) {
  const Space space(make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20),
                    this_device);
  const Config defaults = space.complete({"lookahead", {}});
  const Config config = space.resolve({"lookahead", {{"stages", 10}}});
  EXPECT_EQ(config.integer("stages"), 10);
  Config stages = defaults;
  stages.values["stages"] = std::int64_t{10};
  EXPECT_FALSE(space.contains(stages)) << "nothing to mend";
  EXPECT_GT(distance(stages, config), 0);
  EXPECT_LT(distance(stages, config), 0.5) << to_json(config);
}

// More tiles ahead than the default's stages: both grow, and the tiles become smaller.
TEST(NearestConfig, ChangesSeveralParametersTogether) {
  const Space space(make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20),
                    this_device);
  const Config config = space.resolve({"lookahead", {{"reduce_ahead", 8}}});
  EXPECT_EQ(config.integer("reduce_ahead"), 8);
  EXPECT_GE(config.integer("stages"), 10);
  EXPECT_GE(config.integer("worker_warps"), 8) << to_json(config);
}

}  // namespace
}  // namespace upsweep
