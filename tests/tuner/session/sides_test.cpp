#include "tuner/session/sides.hpp"

#include <gmock/gmock.h>

#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/session/scripted.hpp"
#include "tuner/session/final.hpp"

namespace upsweep::tuner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;
using tuning_db::Stage;
using tuning_db::Trial;
using tuning_db::Winner;

constexpr int exponent = 20;

class SideTest : public testing::Test {
 protected:
  SideTest() { setting.problem.size = typical_sizes(exponent, SizeSide::above).front(); }

  bool hold(std::vector<std::int64_t> numbers) {
    std::vector<Config> configs;
    for (const std::int64_t number : numbers) configs.push_back(config_of(number));
    return hold_side_contest(setting, {compilations, runner, database}, configs);
  }
  std::vector<std::int64_t> winners() {
    std::vector<std::int64_t> numbers;
    for (const Winner& winner : database.winners()) numbers.push_back(number_of(winner.trial.config));
    return numbers;
  }
  std::vector<std::int64_t> rows(Stage stage) {
    std::vector<std::int64_t> numbers;
    for (const Trial& trial : database.trials()) {
      if (trial.stage == stage) numbers.push_back(number_of(trial.config));
    }
    return numbers;
  }

  test::TestFolder folder;
  tuning_db::Database database{folder / "t.db", tuning_db::Database::Mode::read_write};
  ScriptedCompilers compilers;
  CompiledOnce compilations{compilers};
  ScriptedRunner runner;
  Setting setting{.device = {"GPU", 9, 0, 132, 6144, 3201000, true},
                  .limits = {},
                  .environment = {"driver", "compiler", "1"},
                  .problem = scripted_problem,
                  .session = "tune 1"};
};

TEST_F(SideTest, TheBestOverAllCallsWins) {
  runner.misaligned = [](std::int64_t number) { return number == 3 ? 2.0 : 1.0; };
  EXPECT_TRUE(hold({1, 2, 3}));
  EXPECT_THAT(winners(), ElementsAre(2));
  const Trial winner = database.winners().at(0).trial;
  EXPECT_EQ(winner.problem.size, setting.problem.size);
  EXPECT_EQ(winner.stage, Stage::final);
  EXPECT_EQ(winner.session, "tune 1");
  EXPECT_EQ(winner.device, setting.device);
  EXPECT_EQ(winner.environment, setting.environment);
  EXPECT_EQ(winner.median_us(), 98);
  EXPECT_THAT(rows(Stage::final), UnorderedElementsAre(1, 2, 3)) << "the others are rows too";
}

TEST_F(SideTest, ThePowerOfTwosWinnerStays) {
  Trial at{.device = setting.device,
           .environment = setting.environment,
           .problem = scripted_problem,
           .config = config_of(7),
           .samples_us = {5.0}};
  database.set_winner(database.record(at));
  EXPECT_TRUE(hold({1, 2, 3}));
  EXPECT_THAT(winners(), UnorderedElementsAre(7, 3));
}

// With more candidates than finalists, those that go on do so by all calls.
TEST_F(SideTest, OfManyTheBestMeetInTheFinal) {
  runner.misaligned = [](std::int64_t number) { return number == 9 ? 2.0 : 1.0; };
  EXPECT_TRUE(hold({1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_THAT(winners(), ElementsAre(8));
  EXPECT_THAT(rows(Stage::final), UnorderedElementsAre(5, 6, 7, 8));
}

TEST_F(SideTest, ThatIsTimedAsUsersLaunchIt) {
  std::set<std::pair<std::uint64_t, bool>> calls;
  runner.turn = [&](const RunRequest& request) {
    EXPECT_FALSE(request.replay);
    calls.emplace(request.size, request.misaligned);
  };
  EXPECT_TRUE(hold({1, 2, 3, 4, 5}));
  std::set<std::pair<std::uint64_t, bool>> expected{{setting.problem.size, false}};
  for (const CallKind& call : other_calls(setting.problem.size)) expected.emplace(call.size, call.misaligned);
  EXPECT_EQ(calls, expected);
}

TEST_F(SideTest, EachIsCheckedWithTheGreatestSize) {
  EXPECT_TRUE(hold({1, 2}));
  std::uint64_t most = setting.problem.size;
  for (const CallKind& call : other_calls(most)) most = std::max(most, call.size);
  ASSERT_EQ(runner.runs.size(), 2u);
  for (const auto& [number, request] : runner.runs) EXPECT_EQ(request.size, most) << number;
}

TEST_F(SideTest, AWrongOneIsARowAndNeverWins) {
  runner.give(3, failed(Verdict::wrong, "wrong at index 7"));
  EXPECT_TRUE(hold({1, 2, 3}));
  EXPECT_THAT(winners(), ElementsAre(2));
  EXPECT_THAT(rows(Stage::probe), ElementsAre(3));
  EXPECT_EQ(database.trials({.failures = true}).at(0).failure, "wrong at index 7");
}

TEST_F(SideTest, WhatDoesNotCompileIsNotRun) {
  compilers.result = [](std::int64_t number) { return number == 3 ? not_compiled("no") : CompileResult{}; };
  EXPECT_TRUE(hold({1, 2, 3}));
  EXPECT_THAT(winners(), ElementsAre(2));
  EXPECT_THAT(runner.runs, Not(Contains(testing::Pair(3, testing::_))));
}

TEST_F(SideTest, HopelessOnesAreNotCompared) {
  runner.give(4, taking(500.0, {.samples = 1}));
  EXPECT_TRUE(hold({1, 4, 2}));
  EXPECT_THAT(rows(Stage::final), UnorderedElementsAre(1, 2));
}

TEST_F(SideTest, NoneIfNothingRuns) {
  runner.outcome = [](auto...) { return failed(Verdict::crashed, "an illegal address"); };
  EXPECT_FALSE(hold({1, 2, 3}));
  EXPECT_FALSE(hold({}));
  EXPECT_THAT(winners(), IsEmpty());
}

TEST_F(SideTest, TheWinnerSoFarStaysWhereItDoesNotMatter) {
  EXPECT_TRUE(hold({1}));
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return 100 - 0.1 * static_cast<double>(number); };
  EXPECT_TRUE(hold({2, 3}));
  EXPECT_THAT(winners(), ElementsAre(1)) << "it took part without being asked";
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return 100 - 5 * static_cast<double>(number); };
  EXPECT_TRUE(hold({2, 3}));
  EXPECT_THAT(winners(), ElementsAre(3));
}

// ---- candidates

class SideCandidates : public SideTest {
 protected:
  [[nodiscard]] Winner winner_of(std::int64_t number, std::uint64_t size) const {
    Trial trial{.device = setting.device, .problem = scripted_problem, .config = valid(number), .samples_us = {1}};
    trial.problem.size = size;
    return {trial, size_class(size), "user"};
  }
  // Valid configs that can be told apart.
  [[nodiscard]] Config valid(std::int64_t number) const {
    return Space(setting.problem, setting.limits).seed_configs().at(static_cast<std::size_t>(number));
  }
};

TEST_F(SideCandidates, AreWhatIsGivenAndWinnersOfTheProblemNearby) {
  constexpr std::uint64_t power = std::uint64_t{1} << exponent;
  std::vector<Winner> winners{winner_of(1, power), winner_of(2, power * 2), winner_of(0, power / 4),
                              winner_of(3, power * 2)};
  winners[3].trial.problem.op = Operator::maximum;
  const std::vector<Config> given{valid(4), valid(4)};
  EXPECT_THAT(side_candidates(setting, given, winners, false), ElementsAre(valid(4), valid(1), valid(2)));
  winners[1].trial.device.name = "another";
  EXPECT_THAT(side_candidates(setting, given, winners, false), ElementsAre(valid(4), valid(1)));
}

TEST_F(SideCandidates, AreValidThere) {
  Config invalid = valid(1);
  invalid.values["threads_per_block"] = 7;
  const std::vector<Config> given{invalid, Space(scripted_problem, {}).complete({.schedule = "single_block"})};
  EXPECT_THAT(side_candidates(setting, given, {}, false), IsEmpty()) << "a single block is not for so many items";
}

TEST_F(SideCandidates, AreAlsoSeedConfigsWhereCompilingIsQuick) {
  const Space space(setting.problem, setting.limits);
  const std::vector<Config> configs = side_candidates(setting, {}, {}, true);
  EXPECT_EQ(std::set<Config>(configs.begin(), configs.end()).size(), configs.size());
  for (const Config& config : space.seed_configs()) {
    if (space.suits(config)) {
      EXPECT_THAT(configs, Contains(config));
    }
  }
  EXPECT_THAT(configs, Contains(space.default_config()));
}

}  // namespace
}  // namespace upsweep::tuner
