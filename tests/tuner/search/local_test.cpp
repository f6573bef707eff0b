#include "tuner/search/strategies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace upsweep::tuner {
namespace {

Problem scan(std::uint64_t size = 1 << 24) {
  return make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, size);
}

// Microseconds: best with 384 threads of 18 items, a transposed load and the lookback schedule; smooth around it. A
// schedule without these parameters is far from it.
double cost(const Config& config) {
  double us = 100;
  if (!config.values.contains("threads_per_block")) return us + 300;
  us += std::fabs(std::log2(static_cast<double>(config.integer("threads_per_block")) / 384)) * 40;
  us += std::fabs(static_cast<double>(config.integer("items_per_thread")) - 18) * 4;
  if (config.name("load") != "warp_transpose") us += 50;
  if (config.schedule != "lookback") us += 100;
  return us;
}

std::vector<Config> run(const SearchSpace& space, const SearchOptions& options, int trials,
                        const LocalSettings& settings = {}) {
  const auto search = local_search(space, options, settings);
  std::vector<Config> given;
  for (int i = 0; i < trials; ++i) {
    const auto config = search->next();
    if (!config) break;
    given.push_back(*config);
    search->report(*config, i % 10 == 9 ? std::nullopt : std::optional(cost(*config)));
  }
  return given;
}

struct LocalSearch : testing::Test {
  const GeneratedSpace space{scan(), limits_of_architecture("sm_90")};
};

TEST_F(LocalSearch, DefaultThenKnownThenSeedConfigs) {
  const Config known = space.space().complete({"lookback", {{"items_per_thread", std::int64_t{7}}}});
  Config outside = known;
  outside.values["items_per_thread"] = std::int64_t{7777};
  std::vector<Config> expected{space.default_config(), known};
  for (const Config& config : space.seed_configs()) {
    if (std::find(expected.begin(), expected.end(), config) == expected.end()) expected.push_back(config);
  }
  SearchOptions options;
  options.known = {outside, space.default_config(), known};
  EXPECT_EQ(run(space, options, static_cast<int>(expected.size())), expected)
      << "what is outside the space or was given before is left out";
}

TEST_F(LocalSearch, LeavesOutWhatCannotBeAnyGood) {
  for (const Config& config : run(space, {.seed = 4}, 300)) {
    EXPECT_TRUE(space.suits(config)) << to_json(config);
    EXPECT_NE(config.schedule, "single_block");
    EXPECT_NE(config.schedule, "cluster");
  }
}

TEST_F(LocalSearch, FindsTheRegionOfTheOptimum) {
  constexpr int trials = 200;
  double sum = 0, random_sum = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    double best = cost(space.default_config()), best_random = best;
    for (const Config& config : run(space, {.seed = seed}, trials)) best = std::min(best, cost(config));
    for (const Config& config : run(space, {.seed = seed}, trials, {.random_start = trials})) {
      best_random = std::min(best_random, cost(config));
    }
    EXPECT_LT(best, 115) << "seed " << seed;
    sum += best;
    random_sum += best_random;
  }
  EXPECT_LE(sum, random_sum) << "random configs alone find better ones";
}

TEST_F(LocalSearch, LocalStepsStartAtTheBest) {
  const auto search = local_search(space, {}, {.random_start = 0, .random_fraction = 0, .parents = 1});
  std::optional<Config> best;
  std::set<Config> given;
  double best_us = 1e9;
  int local_steps = 0;
  const int seed_configs = static_cast<int>(space.seed_configs().size());
  for (int i = 0; i < seed_configs + 60; ++i) {
    const auto config = search->next();
    ASSERT_TRUE(config.has_value());
    if (i >= seed_configs) {
      std::vector<Config> neighbours;
      for (const std::uint64_t index : space.neighbours(*space.index_of(*best))) {
        neighbours.push_back(space.point(index));
      }
      const bool exhausted = std::all_of(neighbours.begin(), neighbours.end(),
                                         [&](const Config& neighbour) { return given.contains(neighbour); });
      const bool local = std::find(neighbours.begin(), neighbours.end(), *config) != neighbours.end();
      EXPECT_TRUE(local || exhausted) << i << ": " << to_json(*config);
      local_steps += local ? 1 : 0;
    }
    given.insert(*config);
    if (cost(*config) < best_us) best = config, best_us = cost(*config);
    search->report(*config, cost(*config));
  }
  EXPECT_GT(local_steps, 30);
}

TEST_F(LocalSearch, FailuresAreNoParents) {
  const auto search = local_search(space, {}, {.random_start = 0, .random_fraction = 0, .parents = 1});
  std::set<Config> given;
  for (int i = 0; i < 30; ++i) {
    const auto config = search->next();  // without anything to start from: random
    ASSERT_TRUE(config.has_value());
    EXPECT_TRUE(given.insert(*config).second);
    search->report(*config, std::nullopt);
  }
}

}  // namespace
}  // namespace upsweep::tuner
