// What every strategy must do, whatever it proposes.
#include "tuner/search/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include <upsweep/error.hpp>

#include "tuner/search/restriction.hpp"

namespace upsweep::tuner {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Problem searched_scan() {
  return make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 24);
}

// A time for each config that says nothing of any other, and failures.
std::optional<double> any_time(const Config& config) {
  const std::size_t hash = std::hash<std::string>()(to_json(config));
  return hash % 11 == 0 ? std::nullopt : std::optional(10 + static_cast<double>(hash % 997));
}

class EveryStrategy : public testing::TestWithParam<std::string_view> {
 protected:
  static std::vector<Config> run(Search& search, int trials) {
    std::vector<Config> given;
    for (int i = 0; i < trials; ++i) {
      const auto config = search.next();
      if (!config) break;
      given.push_back(*config);
      search.report(*config, any_time(*config));
    }
    return given;
  }
  const GeneratedSpace space{searched_scan(), limits_of_architecture("sm_90")};
};

TEST_P(EveryStrategy, GivesTheDefaultFirst) {
  Config known = space.default_config();
  known.values["stages"] = std::int64_t{2};
  for (const bool seed_configs : {false, true}) {
    const auto search = make_search(GetParam(), space, {.known = {known}, .seed_configs = seed_configs});
    EXPECT_EQ(search->next(), space.default_config());
  }
}

TEST_P(EveryStrategy, NeverRepeatsAndAllAreValidAndSuit) {
  const std::pair<Problem, const char*> cases[] = {
      {searched_scan(), "sm_90"}, {make_problem(Algorithm::reduce, plus, Type::f64, Type::f64), "sm_75"}};
  for (const auto& [problem, architecture] : cases) {
    const GeneratedSpace other(problem, limits_of_architecture(architecture));
    const auto search = make_search(GetParam(), other, {.seed = 3});
    std::set<Config> seen;
    for (int i = 0; i < 400; ++i) {
      const auto config = search->next();
      ASSERT_TRUE(config.has_value());
      ASSERT_TRUE(other.contains(*config)) << to_json(*config);
      ASSERT_TRUE(other.suits(*config)) << to_json(*config);
      ASSERT_TRUE(seen.insert(*config).second) << "again: " << to_json(*config);
      search->report(*config, any_time(*config));
    }
  }
}

TEST_P(EveryStrategy, IsDeterministicBySeedAndReports) {
  const auto given = [&](std::uint64_t seed) { return run(*make_search(GetParam(), space, {.seed = seed}), 120); };
  EXPECT_EQ(given(5), given(5));
  if (GetParam() != "exhaustive") {
    EXPECT_NE(given(5), given(6));
  }
}

TEST_P(EveryStrategy, MayBeAskedWhileReportsAreOutstanding) {
  const auto search = make_search(GetParam(), space, {.seed = 9});
  std::set<Config> seen;
  std::deque<Config> outstanding;
  for (int i = 0; i < 300; ++i) {
    const auto config = search->next();
    ASSERT_TRUE(config.has_value());
    ASSERT_TRUE(seen.insert(*config).second) << i << ": again " << to_json(*config);
    outstanding.push_back(*config);
    if (outstanding.size() < 9) continue;
    const std::size_t which = static_cast<std::size_t>(i) % outstanding.size();  // not in the order of asking
    search->report(outstanding[which], any_time(outstanding[which]));
    outstanding.erase(outstanding.begin() + static_cast<std::ptrdiff_t>(which));
  }
}

TEST_P(EveryStrategy, DoesNotGiveWhatWasReported) {
  const auto first = make_search(GetParam(), space, {.seed = 2});
  const std::vector<Config> earlier = run(*first, 100);
  const auto resumed = make_search(GetParam(), space, {.seed = 2});
  for (const Config& config : earlier) resumed->report(config, any_time(config));
  for (const Config& config : run(*resumed, 100)) {
    EXPECT_EQ(std::find(earlier.begin(), earlier.end(), config), earlier.end()) << "again: " << to_json(config);
  }
}

TEST_P(EveryStrategy, TakesReportsOfConfigsThatAreNoneOfTheSpace) {
  const auto search = make_search(GetParam(), space, {});
  search->report({"of_old", {{"threads", std::int64_t{3}}}}, 1.0);
  search->report({"lookback", {}}, std::nullopt);
  EXPECT_EQ(search->next(), space.default_config());
}

TEST_P(EveryStrategy, EndsWhenTheSpaceIsExhausted) {
  const RestrictedSpace restricted(
      space,
      restriction_from_text({"vectors_per_thread=5", "stages=3,4,8", "states_per_lane=5", "descriptor=packed",
                             "prefetch=bulk", "dependent_launch=yes", "blocks_per_multiprocessor=1", "order=ticket"}));
  const auto search = make_search(GetParam(), restricted, {.seed = 2});
  std::set<Config> given{search->next().value()};
  ASSERT_TRUE(given.contains(space.default_config()));
  while (const auto config = search->next()) {
    ASSERT_TRUE(restricted.contains(*config));
    ASSERT_TRUE(given.insert(*config).second);
    search->report(*config, any_time(*config));
  }
  std::size_t valid = restricted.contains(space.default_config()) ? 0 : 1;
  for (std::uint64_t index = 0; index < restricted.points(); ++index) valid += restricted.contains(index) ? 1 : 0;
  EXPECT_EQ(given.size(), valid);
  EXPECT_GT(valid, 300u);
  EXPECT_EQ(search->next(), std::nullopt);
}

TEST_P(EveryStrategy, GivesNoDefaultThatTheDeviceCannotHold) {
  // Little shared memory and few threads.
  DeviceLimits limits;
  limits.threads_per_block = 32;
  limits.threads_per_multiprocessor = 32;
  limits.blocks_per_multiprocessor = 1;
  limits.registers_per_multiprocessor = 1024;
  limits.shared_bytes_per_block = 300;
  limits.shared_bytes_per_multiprocessor = 300;
  const GeneratedSpace other(make_problem(Algorithm::reduce, plus, Type::f64, Type::f64, 1 << 16), limits);
  ASSERT_FALSE(other.contains(other.default_config()));
  const auto search = make_search(GetParam(), other, {});
  for (const Config& config : run(*search, 20)) EXPECT_TRUE(other.contains(config)) << to_json(config);
}

TEST_P(EveryStrategy, KeepsToARestriction) {
  const RestrictedSpace restricted(space, restriction_from_text({"worker_warps=8,10", "stages=3"}));
  const auto search = make_search(GetParam(), restricted, {.seed = 1});
  EXPECT_EQ(search->next(), space.default_config()) << "what the others are compared with, restricted or not";
  search->report(space.default_config(), 20.0);
  for (const Config& config : run(*search, 100)) {
    EXPECT_EQ(config.schedule, "lookahead");
    EXPECT_EQ(config.integer("stages"), 3);
    EXPECT_THAT(config.integer("worker_warps"), testing::AnyOf(8, 10));
    EXPECT_TRUE(space.contains(config));
  }
}

INSTANTIATE_TEST_SUITE_P(Search, EveryStrategy,
                         testing::ValuesIn(search_strategies().begin(), search_strategies().end()),
                         [](const auto& strategy) { return std::string(strategy.param); });

TEST(MakeSearch, NamesTheStrategiesThereAre) {
  const GeneratedSpace space(searched_scan(), limits_of_architecture("sm_90"));
  EXPECT_THAT(
      [&] { (void)make_search("annealing", space, {}); },
      ThrowsMessage<UsageError>("unknown search strategy 'annealing': use one of model, local, random, exhaustive"));
}

TEST(ExhaustiveSearch, TriesSeedConfigsThenWalksInTheOrderOfNumbers) {
  const GeneratedSpace space(searched_scan(), limits_of_architecture("sm_90"));
  const auto search = make_search("exhaustive", space, {});
  std::vector<Config> seed_configs;
  for (const Config& config : space.seed_configs()) {
    if (std::find(seed_configs.begin(), seed_configs.end(), config) == seed_configs.end())
      seed_configs.push_back(config);
  }
  for (const Config& config : seed_configs) EXPECT_EQ(search->next(), config);
  std::uint64_t last = 0;
  for (int i = 0; i < 50; ++i) {
    const std::uint64_t index = space.index_of(search->next().value()).value();
    EXPECT_GT(index, last);
    last = index;
  }
}

}  // namespace
}  // namespace upsweep::tuner
