#include "tuner/session/final.hpp"

#include <gtest/gtest.h>

#include "tests/tuner/session/scripted.hpp"

namespace upsweep::tuner {
namespace {

// Above a power of two, and between the sizes that the winner for it is also measured with.
constexpr std::uint64_t final_size = (std::uint64_t{1} << 20) + 200'000;

struct FinalTest : testing::Test {
  ScriptedRunner runner;
  std::vector<Config> configs{config_of(1), config_of(2), config_of(3)};
  std::int64_t winner(std::optional<std::size_t> incumbent = {}) {
    const auto result = hold_final(runner, configs, incumbent, final_size);
    return result ? number_of(configs[result->winner]) : 0;
  }
};

TEST(TypicalSizes, AreOddAndOnTheirSide) {
  EXPECT_EQ(typical_sizes(20, SizeSide::above), (std::vector<std::uint64_t>{1179649, 1376257}));
  EXPECT_EQ(typical_sizes(20, SizeSide::below), (std::vector<std::uint64_t>{983041, 851969}));
  for (int exponent = 0; exponent < 63; ++exponent) {
    for (const SizeSide side : {SizeSide::below, SizeSide::above}) {
      const std::vector<std::uint64_t> sizes = typical_sizes(exponent, side);
      EXPECT_TRUE(exponent < 5 || sizes.size() == 2) << exponent;
      for (const std::uint64_t n : sizes) {
        EXPECT_EQ(size_class(n), exponent) << n;
        EXPECT_EQ(size_side(n), side) << n;
        EXPECT_EQ(n % 2, 1u);
      }
    }
  }
}

TEST(OtherCalls, APowerOfTwoHasAWinnerOfItsOwn) {
  EXPECT_TRUE(other_calls(1 << 20).empty());
}

TEST(OtherCalls, OtherSizesAreMeasuredWithAnotherSizeAndMisaligned) {
  constexpr std::uint64_t power = 1 << 20;
  EXPECT_EQ(other_calls(1179649), (std::vector<CallKind>{{1376257}, {1179649, true}, {power, true}}));
  EXPECT_EQ(other_calls(1376257), (std::vector<CallKind>{{1179649}, {1376257, true}, {power, true}}));
  EXPECT_EQ(other_calls(983041), (std::vector<CallKind>{{851969}, {983041, true}}));
  EXPECT_EQ(other_calls(3), (std::vector<CallKind>{{3, true}}));
}

TEST_F(FinalTest, TheFastestWins) {
  EXPECT_EQ(winner(), 3);
}

TEST_F(FinalTest, TheIncumbentStaysWhereItDoesNotMatter) {
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return 100 - 0.1 * static_cast<double>(number); };
  EXPECT_EQ(winner(0), 1);
  EXPECT_EQ(winner(), 3);
}

// Config 3 is tuned to the size itself: at another size of the side it is much worse than config 2.
TEST_F(FinalTest, AWinnerOfOneSizeOnlyGivesWay) {
  runner.turn_us = [](std::int64_t number, std::uint64_t n) {
    if (number == 3) return n == final_size ? 97.0 : 120.0;
    return 100.0 - static_cast<double>(number);
  };
  EXPECT_EQ(winner(), 2);
}

// Config 3 is a little faster, and much slower with misaligned arrays.
TEST_F(FinalTest, AWinnerOfAlignedArraysOnlyGivesWay) {
  runner.misaligned = [](std::int64_t number) { return number == 3 ? 1.9 : 1.0; };
  EXPECT_EQ(winner(), 2);
  EXPECT_EQ(number_of(configs[hold_final(runner, configs, {}, 1 << 20)->winner]), 3) << "it is for aligned arrays";
}

TEST_F(FinalTest, ThoseThatAreFarBehindAreNotTimedWithOtherCalls) {
  runner.turn_us = [](std::int64_t number, std::uint64_t n) {
    if (number == 1) return n == final_size ? 150.0 : 1.0;
    return 100.0 - static_cast<double>(number);
  };
  const auto result = hold_final(runner, configs, {}, final_size);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 2u);
  EXPECT_TRUE(result->finalists[0].other.empty());
  EXPECT_EQ(result->finalists[1].other, (std::vector<double>{98, 98, 98}));
}

// As who tunes will launch it.
TEST_F(FinalTest, CallsAreLaunched) {
  int turns = 0;
  runner.turn = [&](const RunRequest& request) {
    ++turns;
    EXPECT_FALSE(request.replay);
  };
  EXPECT_EQ(winner(), 3);
  EXPECT_GE(turns, 3) << "at the size and with other calls";
}

TEST_F(FinalTest, WorkspacesAreMovedForEveryRound) {
  for (const bool move : {true, false}) {
    runner.turn = [&](const RunRequest& request) {
      const bool own = request.size == final_size && !request.misaligned;
      EXPECT_EQ(request.moves, !move ? 0 : own ? request.samples : request.samples / 2);
    };
    EXPECT_TRUE(hold_final(runner, configs, {}, final_size, {.move = move}).has_value());
  }
}

// Config 3 is the fastest with the problem's own data, and takes 2.6 times as long as the others where all items are
// results. Config 2 is the worst with few results.
TEST_F(FinalTest, AWinnerOfOneDensityOnlyGivesWay) {
  runner.density = [](std::int64_t number, Density density) {
    if (density == Density::all) return number == 3 ? 2.6 : 1.0;
    return density == Density::few && number == 2 ? 1.5 : 1.0;
  };
  const std::vector<Density> densities{Density::few, Density::all};
  EXPECT_EQ(number_of(configs[hold_final(runner, configs, {}, 1 << 20, {.densities = densities})->winner]), 1);
  EXPECT_EQ(number_of(configs[hold_final(runner, configs, {}, 1 << 20, {.densities = {Density::few}})->winner]), 3);
  EXPECT_EQ(number_of(configs[hold_final(runner, configs, {}, 1 << 20)->winner]), 3);
}

TEST_F(FinalTest, OneThatIsFarBehindIsTimedWithDataOfOtherDensities) {
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return number == 1 ? 150.0 : 100.0; };
  runner.density = [](std::int64_t number, Density density) {
    return number != 1 && density == Density::all ? 4.0 : 1.0;
  };
  const auto result = hold_final(runner, configs, {}, 1 << 20, {.densities = {Density::all}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 0u);
  EXPECT_EQ(result->finalists[0].by_density, std::vector{150.0});
  EXPECT_EQ(result->finalists[2].by_density, std::vector{400.0});
}

TEST(OtherDensities, AreTimedWhereTheDataDecidesOnTheNumberOfResults) {
  const std::vector<Density> all{Density::few, Density::half, Density::all};
  EXPECT_EQ(other_densities(make_problem(Algorithm::select_if, Operator::less, Type::i32, Type::u64, 9)), all);
  EXPECT_EQ(other_densities(make_problem(Algorithm::unique, Operator::equal_to, Type::i32, Type::u64, 9)), all);
  EXPECT_EQ(other_densities(make_problem(Algorithm::nontrivial_runs, Operator::equal_to, Type::i32, Type::u32, 9)),
            (std::vector{Density::few, Density::half}))
      << "runs have at least two items";
  EXPECT_TRUE(other_densities(make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 9)).empty());
  Problem told = make_problem(Algorithm::select_if, Operator::less, Type::i32, Type::u64, 9);
  told.density = Density::half;
  EXPECT_TRUE(other_densities(told).empty()) << "its winner is for that density";
}

TEST_F(FinalTest, OneThatNoLongerRunsCannotWin) {
  runner.turn_us = [](std::int64_t number, std::uint64_t) {
    return number == 3 ? 0.0 : 100.0 - static_cast<double>(number);
  };
  const auto result = hold_final(runner, configs, 2, final_size);
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
  const auto result = hold_final(runner, configs, {}, final_size, {.race = {.first_rounds = 1}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner, 1u);
  EXPECT_TRUE(result->finalists[2].failed);
}

TEST_F(FinalTest, NoneIfAllFail) {
  runner.turn_us = [](std::int64_t, std::uint64_t) { return 0.0; };
  EXPECT_FALSE(hold_final(runner, configs, {}, final_size).has_value());
}

}  // namespace
}  // namespace upsweep::tuner
