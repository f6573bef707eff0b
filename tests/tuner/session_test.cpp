#include "tuner/session.hpp"

#include <gtest/gtest.h>

#include <upsweep/error.hpp>

#include "tests/tuner/fake_device.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Database;
using tuning_db::Trial;

const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 20);

Config config_of(std::int64_t number) {
  Config config = Space(problem, {}).default_config();
  config.values["items_per_thread"] = number;
  return config;
}

std::int64_t number_of(const Config& config) {
  return config.integer("items_per_thread");
}

// 1, 2, 3, ... `last`; 1 is the default.
class Counting final : public Search {
 public:
  explicit Counting(std::int64_t last) : last_(last) {}
  std::optional<Config> next() override { return given_ < last_ ? std::optional(config_of(++given_)) : std::nullopt; }
  void report(const Config& config, std::optional<double> us) override { reports.emplace_back(number_of(config), us); }
  std::vector<std::pair<std::int64_t, std::optional<double>>> reports;

 private:
  std::int64_t last_;
  std::int64_t given_ = 0;
};

class Scripted final : public Runner {
 public:
  std::function<Outcome(std::int64_t)> outcome = [](std::int64_t number) {
    return Outcome{.samples_us = {100.0 - static_cast<double>(number)}};
  };
  std::function<double(std::int64_t)> final_us = [](std::int64_t number) {
    return 100.0 - static_cast<double>(number);
  };
  std::vector<double> limits;
  std::vector<std::int64_t> finalists;
  std::vector<std::int64_t> kept;

  Outcome run(const Config& config, const RunRequest& request) override {
    EXPECT_EQ(request.size, problem.size);
    limits.push_back(request.limit_us);
    return outcome(number_of(config));
  }
  std::vector<std::vector<double>> run_in_turn(std::span<const Config> configs, const RunRequest& request) override {
    std::vector<std::vector<double>> all;
    for (const Config& config : configs) {
      finalists.push_back(number_of(config));
      const double us = final_us(number_of(config));
      all.emplace_back(us > 0 ? request.samples : 0, us);
    }
    return all;
  }
  void keep_only(std::span<const Config> configs) override {
    kept.clear();
    for (const Config& config : configs) kept.push_back(number_of(config));
  }
  double busy_seconds() const override { return 0; }
};

class SessionTest : public testing::Test {
 protected:
  std::optional<TunedSize> run(std::int64_t configs, const Session::Progress& progress = {}) {
    search = Counting(configs);
    SessionLimits limits{.out_of_time = [this] { return out_of_time; },
                         .stopped = [this] { return stopped; },
                         .maximum_trials = maximum_trials};
    Session session({device, {"driver", "compiler", "1"}, problem}, config_of(1), search, runner, database, limits);
    return session.run(progress);
  }
  // What the rows say: "3 97" or "3 failure".
  std::vector<std::string> rows() {
    std::vector<std::string> texts;
    for (const Trial& trial : database.trials()) {
      const std::string result =
          trial.failure.empty() ? std::to_string(static_cast<int>(trial.median_us())) : trial.failure;
      texts.push_back(std::to_string(number_of(trial.config)) + " " + result);
    }
    return texts;
  }
  std::vector<std::int64_t> winners() {
    std::vector<std::int64_t> numbers;
    for (const auto& winner : database.winners()) numbers.push_back(number_of(winner.trial.config));
    return numbers;
  }

  TemporaryFolder folder;
  DeviceIdentity device{"GPU", 9, 0, 132, 6144, 3201000, true};
  Database database{folder / "t.db", Database::Mode::read_write};
  Counting search{0};
  Scripted runner;
  bool out_of_time = false;
  bool stopped = false;
  int maximum_trials = 0;
};

TEST_F(SessionTest, BestThreeAndTheDefaultMeetInTheFinal) {
  const auto tuned = run(6);
  ASSERT_TRUE(tuned.has_value());
  EXPECT_EQ(runner.finalists, (std::vector<std::int64_t>{6, 5, 4, 1}));
  EXPECT_EQ(number_of(tuned->winner), 6);
  EXPECT_EQ(tuned->winner_us, 94);
  EXPECT_EQ(tuned->default_us, 99);
  EXPECT_EQ(tuned->size, problem.size);
  EXPECT_EQ(tuned->trials, 6);
  EXPECT_EQ(tuned->failures, 0);
  EXPECT_EQ(rows(), (std::vector<std::string>{"1 99", "2 98", "3 97", "4 96", "5 95", "6 94",  //
                                              "6 94", "5 95", "4 96", "1 99"}));
  EXPECT_EQ(winners(), std::vector<std::int64_t>{6});
  EXPECT_EQ(runner.kept, std::vector<std::int64_t>{6}) << "the losers' kernels are let go";
}

TEST_F(SessionTest, TheFinalDecides) {
  runner.final_us = [](std::int64_t number) { return number == 5 ? 50.0 : number == 1 ? 120.0 : 90.0; };
  const auto tuned = run(6);
  ASSERT_TRUE(tuned.has_value());
  EXPECT_EQ(number_of(tuned->winner), 5);
  EXPECT_EQ(tuned->winner_us, 50);
  EXPECT_EQ(tuned->default_us, 120) << "from the final too";
  const auto winners = database.winners();
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(winners[0].trial.samples_us.size(), 9u) << "the winner's row is the final's";
  EXPECT_EQ(winners[0].trial.problem, problem);
  EXPECT_EQ(winners[0].trial.device, device);
  EXPECT_EQ(winners[0].trial.environment, (Environment{"driver", "compiler", "1"}));
}

TEST_F(SessionTest, TheDefaultMayWin) {
  runner.final_us = [](std::int64_t number) { return number == 1 ? 10.0 : 20.0; };
  EXPECT_EQ(number_of(run(6)->winner), 1);
}

TEST_F(SessionTest, WhoFailsInTheFinalDoesNotWin) {
  runner.final_us = [](std::int64_t number) { return number == 6 ? 0.0 : 100.0 - static_cast<double>(number); };
  EXPECT_EQ(number_of(run(6)->winner), 5);
  EXPECT_EQ(rows()[6], "6 ran well before and failed in the final");
  runner.final_us = [](std::int64_t) { return 0.0; };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)run(6); }),
            "none of the best configs ran again in the final: is the device in order?");
}

TEST_F(SessionTest, FailuresAreRowsAndNeverWin) {
  runner.outcome = [](std::int64_t number) {
    if (number == 4) return Outcome{.verdict = Verdict::wrong, .failure = "wrong at index 3: expected 1, got 2"};
    if (number == 5) return Outcome{.verdict = Verdict::not_compiled, .failure = "does not compile"};
    return Outcome{.samples_us = {100.0 - static_cast<double>(number)}};
  };
  const auto tuned = run(5);
  ASSERT_TRUE(tuned.has_value());
  EXPECT_EQ(number_of(tuned->winner), 3);
  EXPECT_EQ(tuned->failures, 2);
  EXPECT_EQ(rows()[3], "4 wrong at index 3: expected 1, got 2");
  EXPECT_EQ(rows()[4], "5 does not compile");
  EXPECT_EQ(search.reports[3], (std::pair<std::int64_t, std::optional<double>>{4, std::nullopt}));
  EXPECT_EQ(search.reports[2], (std::pair<std::int64_t, std::optional<double>>{3, 97.0}));
}

TEST_F(SessionTest, AWrongDefaultDoesNotStopTheOthers) {
  runner.outcome = [](std::int64_t number) {
    return number == 1 ? Outcome{.verdict = Verdict::wrong, .failure = "wrong"} : Outcome{.samples_us = {5}};
  };
  const auto tuned = run(3);
  ASSERT_TRUE(tuned.has_value());
  EXPECT_EQ(number_of(tuned->winner), 3);
  EXPECT_EQ(runner.finalists, (std::vector<std::int64_t>{2, 3})) << "the default has no place in the final";
  EXPECT_EQ(tuned->default_us, 0);
}

TEST_F(SessionTest, NothingRight) {
  runner.outcome = [](std::int64_t number) {
    return Outcome{.verdict = Verdict::failed, .failure = "reason " + std::to_string(number)};
  };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)run(3); }),
            "none of 3 configs of inclusive_scan plus i32 gave a right result on GPU; the last: reason 3");
  EXPECT_EQ(rows().size(), 3u);
  EXPECT_TRUE(winners().empty());
}

TEST_F(SessionTest, LimitsAreThreeTimesTheBest) {
  (void)run(3);
  EXPECT_EQ(runner.limits, (std::vector<double>{std::numeric_limits<double>::infinity(), 297, 294}));
}

TEST_F(SessionTest, OneTrialAtLeast) {
  out_of_time = true;
  const auto tuned = run(100);
  ASSERT_TRUE(tuned.has_value());
  EXPECT_EQ(tuned->trials, 1);
  EXPECT_EQ(number_of(tuned->winner), 1);
  EXPECT_EQ(runner.finalists, std::vector<std::int64_t>{1});
}

TEST_F(SessionTest, MaximumTrials) {
  maximum_trials = 4;
  EXPECT_EQ(run(100)->trials, 4);
}

TEST_F(SessionTest, AStopKeepsWhatIsThereAndHoldsNoFinal) {
  const auto tuned = run(100, [&](const Session& session) { stopped = session.trials() == 5; });
  ASSERT_TRUE(tuned.has_value());
  EXPECT_EQ(tuned->trials, 5);
  EXPECT_TRUE(runner.finalists.empty());
  EXPECT_EQ(rows().size(), 5u);
  EXPECT_EQ(winners(), std::vector<std::int64_t>{5});
}

TEST_F(SessionTest, StoppedBeforeAnythingRan) {
  runner.outcome = [](std::int64_t) { return Outcome{.verdict = Verdict::wrong, .failure = "wrong"}; };
  EXPECT_EQ(run(100, [&](const Session&) { stopped = true; }), std::nullopt);
  EXPECT_EQ(rows(), std::vector<std::string>{"1 wrong"});
}

TEST_F(SessionTest, ALostDeviceEndsItAndTheRowsStay) {
  runner.outcome = [](std::int64_t number) {
    Outcome outcome{.samples_us = {9}};
    if (number == 3) outcome = {.verdict = Verdict::crashed, .failure = "illegal address"};
    if (number == 4) throw DeviceError("illegal address");
    return outcome;
  };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)run(10); }), "illegal address");
  EXPECT_EQ(rows(), (std::vector<std::string>{"1 9", "2 9", "3 illegal address"}));
}

TEST_F(SessionTest, ADeviceErrorOfOneCandidateOnly) {
  runner.outcome = [](std::int64_t number) {
    Outcome outcome{.samples_us = {9}};
    if (number == 3) outcome = {.verdict = Verdict::failed, .failure = "too many resources"};
    return outcome;
  };
  const auto tuned = run(5);
  ASSERT_TRUE(tuned.has_value());
  EXPECT_EQ(tuned->trials, 5);
  EXPECT_EQ(tuned->failures, 1);
}

TEST_F(SessionTest, ProgressTellsTheBestSoFar) {
  std::vector<double> best;
  (void)run(4, [&](const Session& session) {
    best.push_back(session.best_us());
    EXPECT_EQ(session.default_us(), 99);
  });
  EXPECT_EQ(best, (std::vector<double>{99, 98, 97, 96}));
}

}  // namespace
}  // namespace upsweep::tuner
