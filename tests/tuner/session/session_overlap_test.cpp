// Sessions whose device works beside the process.
#include <set>

#include <upsweep/error.hpp>

#include "tests/tuner/session/session_fixture.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Stage;
using tuning_db::Trial;

using SessionOverlapTest = SessionTest;

// 3 is probed as the fastest and is not; 2 is.
TEST_F(SessionOverlapTest, TheBestAreTimedAgainWhileTheCompilersAreBehind) {
  runner.outcome = [](std::int64_t number, const RunRequest& request) {
    return taking(number == 3 ? 88 : 100.0 - 5 * static_cast<double>(number), request);
  };
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return number == 2 ? 89 : number == 3 ? 89.5 : 95; };
  options.overlap = true;
  compilers.ahead = 2;
  double best_at_3 = 0;
  const TunedSize tuned = run(4, [&](const TunedSize& so_far) {
                            if (so_far.trials == 2) compilers.not_ready = 21;  // asked once while 3 runs, then 20 times
                            if (so_far.trials == 3) best_at_3 = so_far.winner_us;
                          }).value();
  EXPECT_EQ(best_at_3, 88);
  EXPECT_EQ(number_of(tuned.winner), 2);
  const std::vector<std::string> race = rows(Stage::race);
  EXPECT_EQ(std::count(race.begin(), race.end(), "3 89"), 1) << "89.5: what all its samples say";
  for (const Trial& trial : database.trials()) {
    if (trial.stage == Stage::race && number_of(trial.config) == 3 && trial.median_us() > 89) {
      EXPECT_GT(trial.samples_us.size(), 7u + 20u * 3) << "one row, with all that was measured";
      EXPECT_LE(trial.samples_us.size(), 200u);
    }
  }
}

TEST_F(SessionOverlapTest, NothingIsTimedAgainUnlessItIsAllowed) {
  compilers.not_ready = 100;
  (void)run(4);
  EXPECT_TRUE(compilers.not_ready > 0);
  EXPECT_EQ(rows(Stage::race).size(), 4u);
}

using Numbers = std::vector<std::int64_t>;

Numbers numbers_of(const std::vector<Config>& configs) {
  Numbers numbers;
  for (const Config& config : configs) numbers.push_back(number_of(config));
  return numbers;
}

// What comes next is made ready while the device is busy: in a round of the best, where candidates take a moment only.
TEST_F(SessionOverlapTest, TheNextOnesAreMadeReadyInARoundOfTheBest) {
  options.overlap = true;
  std::vector<Numbers> next;
  runner.turn = [&](const RunRequest& request) {
    if (!request.next.empty()) next.push_back(numbers_of(request.next));
  };
  compilers.ahead = 3;
  take([](std::int64_t number) { return 1.0 - 0.001 * static_cast<double>(number); });
  ASSERT_TRUE(run(4).has_value());
  EXPECT_EQ(next, (std::vector<Numbers>{{2, 3}, {3, 4}, {4}}));
}

TEST_F(SessionOverlapTest, TheNextOnesAreMadeReadyWhileAnotherTakesLong) {
  options.overlap = true;
  std::set<Numbers> in_turns;
  runner.turn = [&](const RunRequest& request) {
    if (!request.next.empty()) in_turns.insert(numbers_of(request.next));
  };
  compilers.ahead = 3;
  take([](std::int64_t number) { return 2000.0 - static_cast<double>(number); });
  ASSERT_TRUE(run(4).has_value());
  std::set<Numbers> next;
  for (const auto& [number, request] : runner.runs) {
    if (!request.next.empty()) next.insert(numbers_of(request.next));
  }
  EXPECT_EQ(next, (std::set<Numbers>{{3, 4}, {4}}));
  EXPECT_EQ(in_turns, (std::set<Numbers>{{2, 3}})) << "there is nothing to go by when the default is probed";
}

TEST_F(SessionOverlapTest, WhatComesAfterIsCompiledMeanwhile) {
  options.overlap = true;
  options.ahead = {config_of(9)};
  ASSERT_TRUE(run(3).has_value());
  EXPECT_EQ(std::count(compilers.submitted.begin(), compilers.submitted.end(), 9), 1);
  for (const auto& [number, request] : runner.runs) EXPECT_NE(number, 9);
}

// Configs are proposed, and rows written, while another runs.
TEST_F(SessionOverlapTest, HostAndDeviceWorkAtTheSameTime) {
  options.overlap = true;
  compilers.ahead = 2;
  options.maximum_trials = 8;
  runner.outcome = [&, made = runner.outcome](std::int64_t number, const RunRequest& request) {
    if (request.samples == 3) {  // a probe
      EXPECT_EQ(rows(Stage::probe).size(), static_cast<std::size_t>(number - 1)) << "beside " << number;
      EXPECT_EQ(compilers.submitted.size(), std::min<std::size_t>(static_cast<std::size_t>(number) + 2, 8));
    }
    return made(number, request);
  };
  const TunedSize tuned = run(30).value();
  EXPECT_EQ(tuned.trials, 8);
  EXPECT_EQ(number_of(tuned.winner), 8);
  EXPECT_EQ(compilers.submitted.size(), 8u) << "no more than there may be";
  EXPECT_EQ(rows(Stage::probe).size(), 8u);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{8});
  EXPECT_EQ(runner.kept, std::vector<std::int64_t>{8}) << "at the end, the winner alone";
}

// Replayed, 10, 9, 8 and 7 are the fastest; launched, 3 is.
TEST_F(SessionOverlapTest, TheFinalistsAreTheBestAsLaunched) {
  for (const bool small : {true, false}) {
    options.overlap = true;
    database = tuning_db::Database(folder / (small ? "small.db" : "large.db"), tuning_db::Database::Mode::read_write);
    take([&](std::int64_t number) { return (small ? 1 : 100) * (2.0 - 0.01 * static_cast<double>(number)); });
    bool launched = false;
    int moves = 0;
    runner.turn = [&](const RunRequest& request) {
      launched = !request.replay;
      moves += request.moves;
    };
    runner.turn_us = [&, replayed = runner.turn_us](std::int64_t number, std::uint64_t size) {
      return launched && number == 3 ? 1 : replayed(number, size);
    };
    const auto tuned = run(10);
    ASSERT_TRUE(tuned.has_value());
    EXPECT_EQ(number_of(tuned->winner), small ? 3 : 10);
    EXPECT_EQ(rows(Stage::final).size(), 5u) << "four and the default";
    // For each of three samples of the pre-final, and for each round of the final.
    EXPECT_EQ(moves, small ? 3 + RaceOptions{}.first_rounds : 0);
  }
}

TEST_F(SessionOverlapTest, OfThoseAlikeThreeAreLaunchedAndNoneThatIsTooSlow) {
  options.overlap = true;
  // 1 to 9 have their blocks to themselves; 10 is far slower than 9.
  take([](std::int64_t number) { return number == 10 ? 5.0 : 2.0 - 0.01 * static_cast<double>(number); });
  std::vector<Numbers> launched;
  runner.turn = [&](const RunRequest& request) {
    if (!request.replay && request.size == scripted_problem.size) launched.push_back(runner.contestants);
  };
  ASSERT_TRUE(run(10).has_value());
  ASSERT_GE(launched.size(), 2u);
  EXPECT_EQ(launched[0], (Numbers{9, 8, 7, 6, 5, 4, 3, 2, 1})) << "the pre-final";
  EXPECT_EQ(launched[1], (Numbers{9, 8, 7, 6, 1})) << "the final";
  // 101, 201 and 301 have as many blocks as 1.
  launched.clear();
  database = tuning_db::Database(folder / "alike.db", tuning_db::Database::Mode::read_write);
  take([](std::int64_t number) { return number % 100 == 1 ? 1.9 - 0.0001 * static_cast<double>(number) : 2.0; });
  ASSERT_TRUE(run(302).has_value());
  ASSERT_GE(launched.size(), 2u);
  EXPECT_EQ(launched[0].size(), 12u);
  EXPECT_EQ(Numbers(launched[0].begin(), launched[0].begin() + 3), (Numbers{301, 201, 101}));
  EXPECT_EQ(std::count_if(launched[0].begin(), launched[0].end(), [](auto number) { return number % 100 == 1; }), 3);
}

TEST_F(SessionOverlapTest, RowsThatWaitAreWrittenWhenTheFinalFails) {
  options.overlap = true;
  runner.turn = [&](const RunRequest& request) {
    if (!request.replay) throw DeviceError("the device is lost");
  };
  EXPECT_THROW((void)run(3), DeviceError);
  EXPECT_EQ(rows(Stage::probe), (std::vector<std::string>{"1 99", "2 98", "3 97"}));
}

TEST_F(SessionOverlapTest, RowsThatWaitAreWrittenWhenItEnds) {
  options.overlap = true;
  runner.outcome = [made = runner.outcome](std::int64_t number, const RunRequest& request) {
    if (number == 4) throw DeviceError("the device is lost");
    return made(number, request);
  };
  EXPECT_THROW((void)run(9), DeviceError);
  EXPECT_EQ(rows(Stage::probe), (std::vector<std::string>{"1 99", "2 98", "3 97"}));
}

TEST_F(SessionOverlapTest, RowsThatWaitAreWrittenAtAStop) {
  options.overlap = true;
  int trials = 0;
  options.stopped = [&] { return trials == 3; };
  const TunedSize tuned = run(9, [&](const TunedSize& so_far) { trials = so_far.trials; }).value();
  EXPECT_EQ(rows(Stage::probe).size(), 3u);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{3});
}

}  // namespace
}  // namespace upsweep::tuner
