#include "tuner/session/race.hpp"

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

TEST(TrimmedMean, LeavesOutAnEighthAtEachEnd) {
  EXPECT_EQ(trimmed_mean({1, 2, 6}), 3) << "too few to leave any out";
  EXPECT_EQ(trimmed_mean({100, 1, 2, 3, 4, 5, 6, -100}), 3.5);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(trimmed_mean({}), infinity);
  EXPECT_EQ(trimmed_mean({1, 2, 3, 4, 5, 6, 7, infinity}), infinity) << "never is no outlier";
}

// By hand: 1 and 8 become 2 and 7; of 2 2 3 4 5 6 7 7 the mean is 4.5, the sum of squares 30; six are left, and
// t(5, 0.975) = 2.5706.
TEST(TrimmedInterval, IsThatOfTukeyAndMcLaughlin) {
  const Interval interval = trimmed_interval({8, 1, 7, 2, 6, 3, 5, 4}, 0.05);
  const double reach = 2.5706 * std::sqrt(30.0 / 7 / 8) * 8 / 6;
  EXPECT_NEAR(interval.low, 4.5 - reach, 1e-4);
  EXPECT_NEAR(interval.high, 4.5 + reach, 1e-4);
}

TEST(TrimmedInterval, TooFewValuesSayNothing) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(trimmed_interval({1}, 0.01), (Interval{-infinity, infinity}));
  EXPECT_EQ(trimmed_interval({}, 0.01), (Interval{-infinity, infinity}));
}

TEST(TrimmedInterval, OfThoseThatNeverEndItIsInfinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(trimmed_interval({1, 2, 3, 4, 5, 6, 7, infinity}, 0.01), (Interval{infinity, infinity}));
}

// Of times at two levels, it must miss the middle about as often as promised.
TEST(TrimmedInterval, MissesAsSeldomAsPromised) {
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<double> values;
    for (int i = 0; i < 16; ++i) {
      const double noise = std::ldexp(static_cast<double>(random() >> 11), -53) - 0.5;
      values.push_back((random() % 2 == 0 ? 34.7 : 35.6) + 0.2 * noise);
    }
    const Interval interval = trimmed_interval(values, 0.05);
    missed += interval.low > 35.15 || interval.high < 35.15;
  }
  EXPECT_LE(missed, 4000 * 0.07);
  EXPECT_GT(missed, 4000 * 0.02) << "an interval that hardly ever misses is too wide to say anything";
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

// Each is now at one level and now at another, 2.6% above it; one is more often at the upper one. Medians would say
// that it is 2.6% slower, or not at all.
TEST(Race, TimesAtTwoLevelsAreWeighed) {
  std::mt19937_64 random(5);
  const Rounds rounds = [&](std::span<const std::size_t> numbers, int count) {
    std::vector<std::vector<double>> samples(numbers.size());
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      for (int i = 0; i < count; ++i) samples[at].push_back(random() % 8 < (numbers[at] == 0 ? 6 : 2) ? 35.6 : 34.7);
    }
    return samples;
  };
  const RaceResult result = hold_race(2, {}, rounds, {.first_rounds = 400, .most_rounds = 400});
  EXPECT_EQ(result.winner, 1u);
  EXPECT_NEAR(result.contestants[0].ratio, 1.013, 0.003);
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

// Of samples that scatter too much for a verdict: the incumbent stays where it seems a little slower, and not where it
// seems much slower.
TEST(Race, AnIncumbentThatWasNotShownToBeSlowerStays) {
  for (const auto& [us, winner] : {std::pair(102.0, 1u), {106.0, 0u}}) {
    const Rounds scattered = [us = us](std::span<const std::size_t> numbers, int rounds) {
      std::vector<std::vector<double>> samples;
      for (const std::size_t number : numbers) {
        samples.emplace_back();
        for (int i = 0; i < rounds; ++i) {
          samples.back().push_back(number == 0 ? 100.0 : us + (i % 2 == 0 ? 30.0 : -30.0));
        }
      }
      return samples;
    };
    const RaceResult result = hold_race(2, 1, scattered);
    EXPECT_EQ(result.contestants[1].standing, Standing::open);
    EXPECT_EQ(result.winner, winner) << us;
  }
}

}  // namespace
}  // namespace upsweep::tuner
