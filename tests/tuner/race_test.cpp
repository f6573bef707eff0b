#include "tuner/race.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace upsweep::tuner {
namespace {

// Times around given medians: noise of each, and a drift that all share.
struct Field {
  std::vector<double> medians;
  double noise = 0.002;
  double drift = 0;  // relative, a round
  std::uint64_t seed = 1;
  std::vector<int> rounds_of = std::vector<int>(medians.size(), 0);

  RaceResult race(std::optional<std::size_t> incumbent = {}, const RaceOptions& options = {}) {
    std::mt19937_64 random(seed);
    int round = 0;
    const Rounds rounds = [&](std::span<const std::size_t> numbers, int count) {
      std::vector<std::vector<double>> samples(numbers.size());
      for (int i = 0; i < count; ++i, ++round) {
        for (std::size_t at = 0; at < numbers.size(); ++at) {
          const double uniform = std::ldexp(static_cast<double>(random() >> 11), -53);
          samples[at].push_back(medians[numbers[at]] * (1 + drift * round) * (1 + noise * (2 * uniform - 1)));
          ++rounds_of[numbers[at]];
        }
      }
      return samples;
    };
    return hold_race(medians.size(), incumbent, rounds, options);
  }
};

TEST(MedianInterval, IsMadeOfOrderStatistics) {
  // 2 (1 + 8) / 2^8 = 0.07 is too much for an error of 0.05, 2 / 2^8 is not.
  EXPECT_EQ(median_interval({8, 1, 7, 2, 6, 3, 5, 4}, 0.05), (Interval{1, 8}));
  EXPECT_EQ(median_interval({8, 1, 7, 2, 6, 3, 5, 4}, 0.08), (Interval{2, 7}));
}

TEST(MedianInterval, TooFewValuesSayNothing) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(median_interval({1, 2, 3}, 0.01), (Interval{-infinity, infinity}));
  EXPECT_EQ(median_interval({}, 0.01), (Interval{-infinity, infinity}));
}

// Sampled from a skewed distribution, it must miss the true median no more often than promised.
TEST(MedianInterval, MissesTheMedianAsSeldomAsPromised) {
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<double> values;
    for (int i = 0; i < 15; ++i) {
      values.push_back(-std::log(1 - std::ldexp(static_cast<double>(random() >> 11), -53)));
    }
    const Interval interval = median_interval(values, 0.05);
    missed += interval.low > std::log(2.0) || interval.high < std::log(2.0);
  }
  EXPECT_LE(missed, 2000 * 0.05);
  EXPECT_GT(missed, 0) << "an interval that never misses is too wide to say anything";
}

TEST(Race, TheFastestWinsAndTheOthersAreShownToBeSlower) {
  Field field{.medians = {12, 10, 11}};
  const RaceResult result = field.race();
  EXPECT_EQ(result.winner, 1u);
  EXPECT_EQ(result.contestants[1].standing, Standing::leader);
  EXPECT_EQ(result.contestants[0].standing, Standing::slower);
  EXPECT_EQ(result.contestants[2].standing, Standing::slower);
  EXPECT_NEAR(result.contestants[0].ratio, 1.2, 0.01);
  EXPECT_EQ(result.rounds, RaceOptions{}.first_rounds) << "nothing was left open";
}

TEST(Race, ThoseThatAreOutAreTimedNoMore) {
  Field field{.medians = {10, 20, 10.06}, .noise = 0.02};
  const RaceResult result = field.race();
  EXPECT_EQ(field.rounds_of[1], RaceOptions{}.first_rounds);
  EXPECT_EQ(field.rounds_of[0], result.rounds);
  EXPECT_GT(result.rounds, RaceOptions{}.first_rounds) << "0.6% under 2% of noise takes more rounds";
}

TEST(Race, WhereItDoesNotMatterTheIncumbentStays) {
  Field field{.medians = {10, 10.01, 10.02}};
  const RaceResult result = field.race(2);
  EXPECT_EQ(result.winner, 2u);
  EXPECT_NE(field.race().winner, 2u) << "without an incumbent the leader wins";
}

TEST(Race, AnIncumbentThatIsSlowerGoes) {
  Field field{.medians = {10, 10.2}};
  EXPECT_EQ(field.race(1).winner, 0u);
}

// A clock that slows down by 1% a round would fool who times one after the other.
TEST(Race, DriftMeetsAllAlike) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Field field{.medians = {10, 10.15}, .drift = 0.01, .seed = seed};
    const RaceResult result = field.race();
    EXPECT_EQ(result.winner, 0u) << "seed " << seed;
    EXPECT_EQ(result.contestants[1].standing, Standing::slower) << "seed " << seed;
  }
}

TEST(Race, EqualOnesAreSeldomTakenForDifferent) {
  int decided = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Field field{.medians = {10, 10}, .noise = 0.05, .seed = seed};
    const RaceResult result = field.race();
    for (const Contestant& contestant : result.contestants) decided += contestant.standing == Standing::slower;
  }
  // Judged up to seven times, each with an error of 1%.
  EXPECT_LE(decided, 300 * 0.07);
}

TEST(Race, EndsAfterTheMostRounds) {
  Field field{.medians = {10, 10.05}, .noise = 0.2};
  const RaceResult result = field.race();
  EXPECT_EQ(result.rounds, RaceOptions{}.most_rounds);
}

TEST(Race, OneAloneWinsAfterOneRound) {
  Field field{.medians = {10}};
  const RaceResult result = field.race();
  EXPECT_EQ(result.winner, 0u);
  EXPECT_EQ(result.rounds, 1);
}

}  // namespace
}  // namespace upsweep::tuner
