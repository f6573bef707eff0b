#include "tuner/session/session.hpp"

#include <gtest/gtest.h>

#include <upsweep/error.hpp>
#include <upsweep/log.hpp>

#include "tests/tuner/session/session_fixture.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Database;
using tuning_db::Stage;
using tuning_db::Trial;
using tuning_db::Verdict;

TEST_F(SessionTest, TheBestAndTheDefaultMeetInTheFinal) {
  take([](std::int64_t number) { return 100.0 - 5 * static_cast<double>(number); });
  const TunedSize tuned = run(7).value();
  EXPECT_EQ(runner.finalists, (std::vector<std::int64_t>{7, 6, 5, 4, 1}));
  EXPECT_EQ(number_of(tuned.winner), 7);
  EXPECT_EQ(tuned.winner_us, 65);
  EXPECT_EQ(tuned.default_us, 95);
  EXPECT_EQ(tuned.size, scripted_problem.size);
  EXPECT_EQ(tuned.trials, 7);
  EXPECT_EQ(tuned.failures, 0);
  EXPECT_EQ(rows(Stage::final), (std::vector<std::string>{"7 65", "6 70", "5 75", "4 80", "1 95"}));
  EXPECT_EQ(winners(), std::vector<std::int64_t>{7});
  EXPECT_EQ(runner.kept, std::vector<std::int64_t>{7}) << "the losers' kernels are let go";
}

TEST_F(SessionTest, OnlyThoseNearTheBestAreMeasuredAgain) {
  take([](std::int64_t number) { return std::vector<double>{0, 100, 90, 91, 99, 120}[number]; });
  (void)run(5);
  EXPECT_EQ(rows(Stage::probe), (std::vector<std::string>{"1 100", "2 90", "3 91", "4 99", "5 120"}));
  EXPECT_EQ(rows(Stage::race), (std::vector<std::string>{"1 100", "2 90", "3 91"}));
}

TEST_F(SessionTest, TheFinalDecides) {
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return number == 5 ? 50.0 : number == 1 ? 120.0 : 90.0; };
  const TunedSize tuned = run(6).value();
  EXPECT_EQ(number_of(tuned.winner), 5);
  EXPECT_EQ(tuned.winner_us, 50);
  EXPECT_EQ(tuned.default_us, 120) << "from the final too";
  EXPECT_EQ(search.reports.at(5), 50) << "the search learns it";
  const auto winners = database.winners();
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(winners[0].trial.stage, Stage::final) << "the winner's row is the final's";
  EXPECT_EQ(winners[0].trial.problem, scripted_problem);
  EXPECT_EQ(winners[0].trial.device, device);
  EXPECT_EQ(winners[0].trial.environment, environment);
  EXPECT_EQ(winners[0].trial.session, "tune 1");
}

TEST_F(SessionTest, RowsSayWhichMachineCodeRanAtWhichClock) {
  runner.outcome = [](std::int64_t number, const RunRequest& request) {
    Outcome outcome = taking(number == 3 ? 50.0 : 100.0, request);
    outcome.binary = std::string(31, 'a') + std::to_string(number);
    outcome.clock_mhz = 1980;
    return outcome;
  };
  runner.turn_us = [](std::int64_t number, std::uint64_t) { return number == 3 ? 50.0 : 100.0; };
  (void)run(4);
  const std::vector<tuning_db::Trial> trials = database.trials();
  ASSERT_FALSE(trials.empty());
  for (const tuning_db::Trial& trial : trials) {
    EXPECT_EQ(trial.binary, std::string(31, 'a') + std::to_string(number_of(trial.config)))
        << tuning_db::name(trial.stage);
    EXPECT_EQ(trial.clock_mhz, 1980) << tuning_db::name(trial.stage);
  }
}

TEST_F(SessionTest, TheDefaultStaysWhereItDoesNotMatter) {
  take([](std::int64_t number) { return 100 - 0.05 * static_cast<double>(number); });
  EXPECT_EQ(number_of(run(6)->winner), 1);
}

TEST_F(SessionTest, TheWinnerSoFarStaysWhereItDoesNotMatter) {
  take([](std::int64_t number) { return number == 3 ? 80.0 : 100.0; });
  ASSERT_EQ(number_of(run(3)->winner), 3);
  take([](std::int64_t number) { return number == 3 ? 80.0 : number == 5 ? 79.9 : 100.0; });
  EXPECT_EQ(number_of(run(6)->winner), 3);
  take([](std::int64_t number) { return number == 3 ? 80.0 : number == 8 ? 70.0 : 100.0; });
  EXPECT_EQ(number_of(run(8)->winner), 8);
}

TEST_F(SessionTest, FailuresAreRowsAndNeverWin) {
  runner.give(4, failed(Verdict::wrong, "wrong at index 3: expected 1, got 2"));
  runner.give(5, failed(Verdict::hung, "hung"));
  const TunedSize tuned = run(5).value();
  EXPECT_EQ(number_of(tuned.winner), 3);
  EXPECT_EQ(tuned.failures, 2);
  const std::vector<Trial> trials = database.trials();
  const auto verdict_of = [&](std::int64_t number) {
    for (const Trial& trial : trials) {
      if (number_of(trial.config) == number) return trial.verdict;
    }
    return Verdict::failed;
  };
  EXPECT_EQ(verdict_of(4), Verdict::wrong);
  EXPECT_EQ(verdict_of(5), Verdict::hung);
  EXPECT_EQ(search.reports.at(4), std::nullopt);
  EXPECT_EQ(search.reports.at(3), 97);
}

TEST_F(SessionTest, WhatDoesNotCompileIsARowAndIsNotRun) {
  compilers.result = [](std::int64_t number) { return number == 2 ? not_compiled("syntax error") : CompileResult{}; };
  EXPECT_EQ(run(3)->failures, 1);
  EXPECT_EQ(rows(Stage::probe)[1], "2 syntax error");
  for (const auto& [number, request] : runner.runs) EXPECT_NE(number, 2);
}

// A full disk, a compiler that was killed: none of the config's doing.
TEST_F(SessionTest, WhatMayPassIsNoRowAndIsTriedByTheNextTune) {
  bool disk_is_full = true;
  compilers.result = [&](std::int64_t number) {
    if (number == 1 || number == 4 || !disk_is_full) return CompileResult{};
    CompileResult result = not_compiled("no space left\non the disk");
    result.may_pass = true;
    return result;
  };
  const auto compiled = runner.outcome;
  runner.outcome = [&](std::int64_t number, const RunRequest& request) {
    if (number != 4 || !disk_is_full) return compiled(number, request);
    Outcome outcome = failed(Verdict::not_compiled, "no space left");
    outcome.may_pass = true;
    return outcome;
  };
  std::vector<std::string> warnings;
  auto before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
  const auto tuned = run(4);
  EXPECT_EQ(tuned->failures, 3);
  EXPECT_EQ(number_of(tuned->winner), 1);
  EXPECT_EQ(rows(Stage::probe), std::vector<std::string>{"1 99"});
  for (const std::int64_t number : {2, 3, 4}) EXPECT_EQ(search.reports.at(number), std::nullopt);
  EXPECT_EQ(warnings,
            std::vector<std::string>{"some configs could not be tried; the next tune tries them again: no space left"});
  disk_is_full = false;
  const auto again = run(4);
  set_log_sink(std::move(before));
  EXPECT_EQ(again->earlier, 1);
  EXPECT_EQ(again->failures, 0);
  EXPECT_EQ(number_of(again->winner), 4);
}

TEST_F(SessionTest, WhatFoundNoMemoryIsTriedByTheNextTune) {
  const auto well = runner.outcome;
  runner.give(3, failed(Verdict::out_of_memory, "no room"));
  (void)run(3);
  EXPECT_EQ(rows(Stage::probe).back(), "3 no room");
  runner.outcome = well;
  const auto again = run(3);
  EXPECT_EQ(again->earlier, 2);
  EXPECT_EQ(number_of(again->winner), 3);
}

TEST_F(SessionTest, ADefaultThatDoesNotCompileEndsIt) {
  compilers.result = [](std::int64_t) { return not_compiled("no compiler"); };
  EXPECT_EQ(message_of<CompilerError>([&] { (void)run(3); }), "no compiler");
}

TEST_F(SessionTest, WhatSpillsIsPrunedUnlessItIsTheDefault) {
  compilers.result = [](std::int64_t number) {
    CompileResult result;
    if (number <= 2) result.steps = {{.spill_bytes = 1000}};
    return result;
  };
  const auto tuned = run(3);
  EXPECT_EQ(tuned->pruned, 1);
  EXPECT_EQ(tuned->failures, 0);
  EXPECT_EQ(rows(Stage::probe)[0], "1 99");
  EXPECT_EQ(rows(Stage::probe)[1], "2 spills 1000 bytes per thread, more than the limit of 128");
}

TEST_F(SessionTest, SizesDoNotStopAtAWrongDefault) {
  runner.give(1, failed(Verdict::wrong, "wrong"));
  const TunedSize tuned = run(3).value();
  EXPECT_EQ(number_of(tuned.winner), 3);
  EXPECT_EQ(runner.finalists, (std::vector<std::int64_t>{3, 2})) << "the default has no place in the final";
  EXPECT_EQ(tuned.default_us, 0);
}

TEST_F(SessionTest, NothingRight) {
  runner.outcome = [](std::int64_t number, const RunRequest&) {
    return failed(Verdict::failed, "reason " + std::to_string(number));
  };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)run(3); }),
            "none of the 3 configs that were tried for inclusive_scan plus i32 gave a correct result on GPU; the "
            "reason for the last config: reason 3");
  EXPECT_EQ(rows(Stage::probe).size(), 3u);
  EXPECT_TRUE(winners().empty());
}

TEST_F(SessionTest, SlowOnesAreGivenUpAfterASample) {
  (void)run(2);
  ASSERT_EQ(runner.runs.size(), 2u);
  const RunRequest &first = runner.runs[0].second, &second = runner.runs[1].second;
  EXPECT_EQ(first.limit_us, std::numeric_limits<double>::infinity());
  EXPECT_EQ(first.near_us, std::numeric_limits<double>::infinity());
  EXPECT_EQ(second.limit_us, 1.5 * 99);
  EXPECT_DOUBLE_EQ(second.near_us, 1.02 * 99);
}

TEST_F(SessionTest, TheNoiseIsThatOfTheDefaultAgainstItself) {
  int turn = 0;
  runner.turn_us = [&](std::int64_t, std::uint64_t) { return ++turn % 2 == 1 ? 102.0 : 100.0; };
  EXPECT_NEAR(run(1)->noise, 0.02, 1e-9);
}

TEST_F(SessionTest, OneTrialAtLeast) {
  options.out_of_time = [] { return true; };
  const TunedSize tuned = run(30).value();
  EXPECT_EQ(tuned.trials, 1);
  EXPECT_EQ(number_of(tuned.winner), 1);
}

TEST_F(SessionTest, MaximumTrials) {
  options.maximum_trials = 4;
  compilers.ahead = 3;
  EXPECT_EQ(run(30)->trials, 4);
  EXPECT_EQ(compilers.submitted.size(), 4u) << "nothing is compiled that will not be tried";
}

TEST_F(SessionTest, PatienceEndsWhereNothingGetsBetter) {
  take([](std::int64_t number) { return number == 3 ? 50.0 : 100 - 0.01 * static_cast<double>(number); });
  options.patience = 5;
  EXPECT_EQ(run(30)->trials, 8);
}

TEST_F(SessionTest, AsManyAreCompiledAheadAsTheCompilersNeed) {
  compilers.ahead = 4;
  std::size_t most = 0;
  const TunedSize tuned = run(8, [&](const TunedSize& so_far) {
                            most = std::max(most, compilers.submitted.size() - static_cast<std::size_t>(so_far.trials));
                          }).value();
  EXPECT_EQ(most, 3u) << "four, and one of them is done";
  EXPECT_EQ(tuned.trials, 8);
  EXPECT_EQ(number_of(tuned.winner), 8);
}

TEST_F(SessionTest, ASecondRunTakesUpWhereTheFirstEnded) {
  options.maximum_trials = 5;
  EXPECT_EQ(run(30)->trials, 5);
  runner.runs.clear();
  options.maximum_trials = 8;
  const auto tuned = run(30);
  EXPECT_EQ(tuned->earlier, 5);
  EXPECT_EQ(tuned->trials, 3);
  for (const auto& [number, request] : runner.runs) EXPECT_GT(number, 5);
  EXPECT_EQ(number_of(tuned->winner), 8);
}

TEST_F(SessionTest, WhatFailedIsNotTriedAgain) {
  runner.give(2, failed(Verdict::crashed, "illegal address"));
  (void)run(3);
  runner.runs.clear();
  EXPECT_EQ(run(3)->trials, 0);
  EXPECT_TRUE(runner.runs.empty());
}

TEST_F(SessionTest, TrialsOfAnotherEnvironmentAreMeasuredAnew) {
  (void)run(3);
  environment.generator = "2";
  EXPECT_EQ(run(3)->trials, 3);
  EXPECT_EQ(database.winners().size(), 2u) << "nothing is deleted";
}

TEST_F(SessionTest, ALostDeviceEndsItAndTheRowsStay) {
  const auto well = runner.outcome;
  runner.outcome = [well](std::int64_t number, const RunRequest& request) {
    if (number == 3) throw DeviceError("the device is gone");
    return well(number, request);
  };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)run(10); }), "the device is gone");
  EXPECT_EQ(rows(Stage::probe), (std::vector<std::string>{"1 99", "2 98"}));
}

TEST_F(SessionTest, ProgressTellsTheBestSoFar) {
  std::vector<double> best;
  (void)run(4, [&](const TunedSize& so_far) {
    best.push_back(so_far.winner_us);
    EXPECT_EQ(so_far.default_us, 99);
  });
  EXPECT_EQ(best, (std::vector<double>{99, 98, 97, 96}));
}

// Times are compared with the default's from the first one on.
TEST_F(SessionTest, TheDefaultIsMeasuredFirstHoweverLateItIsCompiled) {
  compilers.ahead = 4;
  compilers.last_first = true;
  options.maximum_trials = 6;
  int seen = 0;
  (void)run(9, [&](const TunedSize& so_far) {
    if (++seen == 1) {
      EXPECT_EQ(so_far.winner_us, 99);
    }
    EXPECT_EQ(so_far.default_us, 99);
  });
  EXPECT_EQ(seen, 6);
  EXPECT_EQ(rows(Stage::probe).size(), 6u) << "none is lost, and none is one too many";
  EXPECT_EQ(rows(Stage::probe)[0], "1 99");
}

TEST_F(SessionTest, NoTimeIsNoReasonToLeaveTheDefaultOut) {
  compilers.ahead = 4;
  compilers.last_first = true;
  options.out_of_time = [] { return true; };
  ASSERT_TRUE(run(9).has_value());
  EXPECT_EQ(rows(Stage::probe), std::vector<std::string>{"1 99"});
}

}  // namespace
}  // namespace upsweep::tuner
