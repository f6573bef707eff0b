#include "tuner/final.hpp"

#include <gtest/gtest.h>

#include "tests/tuner/scripted.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t size = std::uint64_t{1} << 20;

struct FinalTest : testing::Test {
  ScriptedRunner runner;
  std::vector<Config> configs{config_of(1), config_of(2), config_of(3)};
  std::int64_t winner(std::optional<std::size_t> incumbent = {}) {
    const auto result = hold_final(runner, configs, incumbent, size);
    return result ? number_of(configs[result->winner]) : 0;
  }
};

TEST(NeighbouringSizes, AreOddAndOfTheSameClass) {
  EXPECT_EQ(neighbouring_sizes(size), (std::vector<std::uint64_t>{786433, 1398101}));
  for (const std::uint64_t n : neighbouring_sizes(1 << 10)) EXPECT_EQ(size_class(n), 10);
}

TEST(NeighbouringSizes, TinyOnesHaveFewer) {
  EXPECT_TRUE(neighbouring_sizes(1).empty());
  EXPECT_EQ(neighbouring_sizes(2), std::vector<std::uint64_t>{3});
}

TEST_F(FinalTest, TheFastestWins) {
  EXPECT_EQ(winner(), 3);
}

TEST_F(FinalTest, TheIncumbentStaysWhereItDoesNotMatter) {
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return 100 - 0.1 * static_cast<double>(number); };
  EXPECT_EQ(winner(0), 1);
  EXPECT_EQ(winner(), 3);
}

// Config 3 is tuned to the size itself: elsewhere in the size class it is much worse than config 2.
TEST_F(FinalTest, AWinnerOfOneSizeOnlyGivesWay) {
  runner.turn_us = [](std::int64_t number, std::uint64_t n) {
    if (number == 3) return n == size ? 97.0 : 120.0;
    return 100.0 - static_cast<double>(number);
  };
  EXPECT_EQ(winner(), 2);
}

TEST_F(FinalTest, ThoseThatAreFarBehindHaveNoSayAtTheNeighbours) {
  runner.turn_us = [](std::int64_t number, std::uint64_t n) {
    if (number == 1) return n == size ? 150.0 : 1.0;
    return 100.0 - static_cast<double>(number);
  };
  const auto result = hold_final(runner, configs, {}, size);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 2u);
  EXPECT_TRUE(result->finalists[0].sizes.empty());
  EXPECT_EQ(result->finalists[1].sizes, (std::vector<double>{98, 98}));
}

// As who tunes will launch it.
TEST_F(FinalTest, CallsAreLaunched) {
  int turns = 0;
  runner.turn = [&](const RunRequest& request) {
    ++turns;
    EXPECT_FALSE(request.replay);
  };
  EXPECT_EQ(winner(), 3);
  EXPECT_GE(turns, 3) << "at the size and at its neighbours";
}

TEST_F(FinalTest, WorkspacesAreMovedForEveryRound) {
  for (const bool move : {true, false}) {
    runner.turn = [&](const RunRequest& request) {
      EXPECT_EQ(request.moves, !move ? 0 : request.size == size ? request.samples : request.samples / 2);
    };
    EXPECT_TRUE(hold_final(runner, configs, {}, size, {.move = move}).has_value());
  }
}

TEST_F(FinalTest, OneThatNoLongerRunsCannotWin) {
  runner.turn_us = [](std::int64_t number, std::uint64_t) {
    return number == 3 ? 0.0 : 100.0 - static_cast<double>(number);
  };
  const auto result = hold_final(runner, configs, 2, size);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 1u);
  EXPECT_TRUE(result->finalists[2].failed);
  EXPECT_FALSE(result->finalists[1].failed);
}

// One round tells nothing; in the second, the faster one no longer runs.
TEST_F(FinalTest, OneThatFailsLateCannotWinEither) {
  int turns = 0;
  runner.turn = [&](const RunRequest&) { ++turns; };
  runner.turn_us = [&](std::int64_t number, std::uint64_t) {
    return number == 3 && turns > 1 ? 0.0 : 100.0 - static_cast<double>(number);
  };
  const auto result = hold_final(runner, configs, {}, size, {.race = {.first_rounds = 1}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 1u);
  EXPECT_TRUE(result->finalists[2].failed);
}

TEST_F(FinalTest, NoneIfAllFail) {
  runner.turn_us = [](std::int64_t, std::uint64_t) { return 0.0; };
  EXPECT_FALSE(hold_final(runner, configs, {}, size).has_value());
}

}  // namespace
}  // namespace upsweep::tuner
