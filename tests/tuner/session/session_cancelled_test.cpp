// Sessions whose time ends while something is under way, or is too short for all that a session does.
#include <gmock/gmock.h>

#include "base/cancellation.hpp"
#include "tests/tuner/session/session_fixture.hpp"
#include "tuner/session/fitting_sizes.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Stage;

class CancelledSession : public SessionTest {
 protected:
  // The trial of that config is cut off.
  void cut_off(std::int64_t at) {
    runner.outcome = [at, before = runner.outcome](std::int64_t number, const RunRequest& request) {
      return number == at ? throw base::Cancelled() : before(number, request);
    };
  }
};

TEST_F(CancelledSession, WhatWasMeasuredBeforeCounts) {
  cut_off(4);
  const TunedSize tuned = run(30).value();
  EXPECT_EQ(number_of(tuned.winner), 3);
  EXPECT_EQ(runner.runs.size(), 4u);
  EXPECT_EQ(rows(Stage::probe).size(), 3u);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{3});
  EXPECT_EQ(runner.finalists.size(), 3u) << "there is time for a final";
}

TEST_F(CancelledSession, AStopDuringATrialHoldsNoFinal) {
  cut_off(4);
  options.stopped = [this] { return runner.runs.size() == 4; };
  const TunedSize tuned = run(30).value();
  EXPECT_EQ(number_of(tuned.winner), 3);
  EXPECT_TRUE(runner.finalists.empty());
}

TEST_F(CancelledSession, NothingWasMeasured) {
  cut_off(1);
  EXPECT_THAT(message_of<OutOfTime>([this] { (void)run(30); }),
              testing::HasSubstr("give a longer budget or smaller sizes"));
  options.stopped = [this] { return !runner.runs.empty(); };
  EXPECT_FALSE(run(30).has_value()) << "a stop is no failure";
}

TEST_F(CancelledSession, AFinalThatIsCutOffLeavesTheBest) {
  runner.turn = [this](const RunRequest& request) {
    if (runner.contestants.size() > 2 && request.size == scripted_problem.size) throw base::Cancelled();
  };
  const TunedSize tuned = run(5).value();
  EXPECT_EQ(number_of(tuned.winner), 5);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{5});
}

// Calls of about 10 ms, of the four best and the default: a round takes 50 ms, another size and misaligned calls as
// long.
TEST_F(CancelledSession, OtherCallsAreMadeWhereThereIsTimeForThem) {
  take([](std::int64_t number) { return 10'000.0 - static_cast<double>(number); });
  problem.size = scripted_problem.size + 1;
  for (const auto& [seconds, sizes] : {std::pair(100.0, 3u), {0.5, 1u}}) {
    options.seconds_for_final = [seconds = seconds] { return seconds; };
    (void)run(6);
    EXPECT_EQ(runner.turns_of_sizes.size(), sizes) << seconds;
  }
}

// Calls of about 10 ms, of the four best and the default.
TEST_F(CancelledSession, AFinalHasAsManyRoundsAsThereIsTimeFor) {
  take([](std::int64_t number) { return 10'000.0 - static_cast<double>(number); });
  const auto rounds_within = [this](double seconds) {
    options.seconds_for_final = [seconds] { return seconds; };
    runner.finalists.clear();
    (void)run(6);
    return runner.turns_of_sizes[scripted_problem.size];
  };
  EXPECT_GE(rounds_within(100), 8);
  EXPECT_EQ(runner.finalists.size(), 5u);
  EXPECT_EQ(rounds_within(0.25), 4);
  EXPECT_EQ(runner.finalists.size(), 5u);
  EXPECT_EQ(rounds_within(0.08), 3);
  EXPECT_EQ(runner.finalists.size(), 2u) << "the best and the default";
  EXPECT_EQ(rounds_within(0.01), 0);
}

TEST_F(CancelledSession, OfSlowCallsFewerSamplesAreTaken) {
  take([](std::int64_t number) { return 1e6 - static_cast<double>(number); });
  options.trial_seconds = 2.5;
  options.expected_us = 1e6;
  (void)run(2);
  ASSERT_EQ(runner.runs.size(), 2u);
  for (const auto& [number, request] : runner.runs) {
    EXPECT_EQ(request.samples, 2) << number;
    EXPECT_EQ(request.more_samples, 0) << number;
  }
  runner.runs.clear();
  options.trial_seconds = 1e-3;
  (void)run(3);
  EXPECT_EQ(runner.runs.at(0).second.samples, 1) << "one at least";
}

TEST_F(CancelledSession, TheNoiseOfSlowCallsIsNotMeasured) {
  take([](std::int64_t) { return 1e6; });
  int against_itself = 0;
  runner.turn = [&](const RunRequest&) {
    if (runner.contestants.size() == 2 && runner.contestants[0] == runner.contestants[1]) ++against_itself;
  };
  options.trial_seconds = 3;
  (void)run(1);
  EXPECT_EQ(against_itself, 0);
}

using StoppedSession = SessionTest;

TEST_F(StoppedSession, AStopKeepsWhatIsThereAndHoldsNoFinal) {
  bool stopped = false;
  options.stopped = [&] { return stopped; };
  const TunedSize tuned = run(30, [&](const TunedSize& so_far) { stopped = so_far.trials == 5; }).value();
  EXPECT_EQ(tuned.trials, 5);
  EXPECT_TRUE(runner.finalists.empty());
  EXPECT_EQ(rows(Stage::probe).size(), 5u);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{5});
}

TEST_F(StoppedSession, AStopLeavesAWinnerOfAFinalInItsPlace) {
  (void)run(3);
  bool stopped = false;
  options.stopped = [&] { return stopped; };
  const auto tuned = run(30, [&](const TunedSize& so_far) { stopped = so_far.trials == 2; });
  EXPECT_EQ(number_of(tuned->winner), 3);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{3});
}

// A winner of another machine state, say: what takes much less time than it now is the better choice.
TEST_F(StoppedSession, AStopTakesWhatIsFasterByMoreThanIsUncertain) {
  (void)run(3);
  runner.outcome = [](std::int64_t number, const RunRequest& request) {
    return taking(number == 4 ? 50.0 : number == 5 ? 92.0 : 97.0, request);
  };
  bool stopped = false;
  options.stopped = [&] { return stopped; };
  auto tuned = run(5, [&](const TunedSize& so_far) { stopped = so_far.trials == 2; });
  EXPECT_EQ(number_of(tuned->winner), 4);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{4});
}

TEST_F(StoppedSession, StoppedBeforeAnythingRan) {
  bool stopped = false;
  options.stopped = [&] { return stopped; };
  runner.outcome = [](std::int64_t, const RunRequest&) { return failed(Verdict::wrong, "wrong"); };
  EXPECT_FALSE(run(30, [&](const TunedSize&) { stopped = true; }).has_value());
  EXPECT_EQ(rows(Stage::probe), std::vector<std::string>{"1 wrong"});
}

}  // namespace
}  // namespace upsweep::tuner
