#include <upsweep/tune.hpp>

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/tuner/tune_fixture.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Database;
using tuning_db::Trial;

TEST_F(TuneTest, FindsTheFastestAndTheEngineUsesIt) {
  const TuneReport report = run();
  EXPECT_FALSE(report.stopped);
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].trials, 12);
  EXPECT_EQ(report.sizes[0].size, 100'000u);
  EXPECT_LE(report.sizes[0].winner_us, report.sizes[0].default_us);
  EXPECT_EQ(report.sizes[0].winner_us, 200.0 - static_cast<double>(report.sizes[0].winner.integer("items_per_thread")));
  double best = 1e9;
  for (const Trial& trial : rows(path)) best = std::min(best, trial.median_us());
  EXPECT_EQ(report.sizes[0].winner_us, best);

  const Plan plan = fake.engine->plan(sized(100'000), nullptr);
  EXPECT_EQ(plan.rung(), "exact");
  EXPECT_EQ(plan.config(), report.sizes[0].winner);
}

TEST_F(TuneTest, RowsSayWhatWasMeasuredOnWhat) {
  const Space space(sized(100'000), fake.device->limits());
  const Config standard = space.default_config();
  const std::string items = upsweep::to_string(standard.values.at("items_per_thread"));
  fake.device->clock = [items, clock = fake.device->clock](const std::string& text, int calls) {
    return has(text, "items_per_thread", items) ? 500.0 * calls : clock(text, calls);
  };
  (void)run();
  const auto trials = rows(path);
  EXPECT_EQ(probes(path).size(), 12u);
  EXPECT_EQ(std::count_if(trials.begin(), trials.end(),
                          [](const Trial& trial) { return trial.stage == tuning_db::Stage::final; }),
            5)
      << "the best four and the default";
  for (const Trial& trial : trials) {
    EXPECT_EQ(trial.problem, space.problem());
    EXPECT_EQ(trial.device, fake.device->own_identity);
    EXPECT_EQ(trial.environment, fake.engine->environment());
    EXPECT_TRUE(space.contains(trial.config));
  }
  EXPECT_EQ(trials[0].config, standard);
}

// Of a power of two: it has a winner for itself, and its size class one for the sizes below and one for those above.
TEST_F(TuneTest, APowerOfTwoHasWinnersOnBothSides) {
  options.sizes = {1 << 16};
  const TuneReport report = run();
  EXPECT_EQ(report.side_winners, 2);
  const auto winners = Database(path, Database::Mode::read_only).winners();
  ASSERT_EQ(winners.size(), 3u);
  EXPECT_EQ(winners[0].trial.problem.size, (1u << 16) / 16 * 15 + 1);
  EXPECT_EQ(winners[1].trial.problem.size, 1u << 16);
  EXPECT_EQ(winners[2].trial.problem.size, (1u << 16) / 8 * 9 + 1);
  for (const auto& winner : winners) {
    EXPECT_EQ(winner.trial.session, winners[1].trial.session);
    const Plan plan = fake.engine->plan(sized(winner.trial.problem.size), nullptr);
    EXPECT_EQ(plan.rung(), "exact");
    EXPECT_EQ(plan.config(), winner.trial.config);
  }
  options.sizes = {100'000};
  EXPECT_EQ(run().side_winners, 0) << "a size that is no power of two has one winner";
}

// Not even the default config runs there: the power of two's winner stays, and serves all sizes of the class.
TEST_F(TuneTest, WhatFailsBesideAPowerOfTwoIsAWarning) {
  fake.device->execute = [this](const FakeCall& call) {
    if (call.n > 1 << 16) throw DeviceError("does not run");
    compute(problem, call);
  };
  options.sizes = {1 << 16};
  testing::internal::CaptureStderr();
  const TuneReport report = run();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("not all winners for the sizes beside powers of two were found: does not run"));
  EXPECT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(Database(path, Database::Mode::read_only).winners().size(), 1u);
}

// Configs that --only leaves out do not win beside the power of two either.
TEST_F(TuneTest, SideWinnersKeepToARestriction) {
  options.sizes = {1 << 16};
  options.only.schedules = {"lookback"};
  (void)run();
  for (const auto& winner : Database(path, Database::Mode::read_only).winners()) {
    const Config standard = Space(winner.trial.problem, fake.device->limits()).default_config();
    if (winner.trial.config != standard) {
      EXPECT_EQ(winner.trial.config.schedule, "lookback");
    }
  }
}

TEST_F(TuneTest, TheSameSeedTriesTheSame) {
  (void)run();
  test::TestFolder other;
  options.database = other / "again.db";
  (void)run();
  const auto first = probes(path), second = probes(options.database);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].config, second[i].config) << i;
}

TEST_F(TuneTest, EarlierWinnersAreTriedEarly) {
  const Config winner = run().sizes[0].winner;
  const std::size_t before = probes(path).size();
  options.sizes = {300'000};
  options.maximum_trials = 2;
  options.seed = 99;
  (void)run();
  EXPECT_EQ(probes(path)[before + 1].config, winner) << "right after the default";
}

// One that lies, one that fails: recorded with the reason, never the winner.
// There the fewer items a thread holds, the faster.
TEST_F(TuneTest, AnotherGpuTakesTheNearestDevicesWinnerAndTunesItselfAwayFromIt) {
  const Config first = run().sizes[0].winner;
  FakeEngine other(path);
  other.device->own_identity.name = "other";
  other.device->execute = fake.device->execute;
  other.device->clock = [](const std::string& text, int calls) {
    double us = 1000;
    for (int items = 1; items <= 32; ++items) {
      if (has(text, "items_per_thread", std::to_string(items))) us = 100.0 + items;
    }
    return us * calls;
  };
  problem.size = 100'000;
  const auto plan_of = [this](const FakeEngine& machine) { return machine.engine->plan(problem, nullptr); };
  const Plan before = plan_of(other);
  EXPECT_EQ(before.rung(), "nearest_device");
  EXPECT_EQ(before.config(), first);
  EXPECT_THAT(before.reason(), testing::HasSubstr("tuned on fake"));
  EXPECT_THAT(before.explain(), testing::HasSubstr("nearest_device: tuned on fake"));

  const TuneReport report = tune(*other.engine, problem, options);
  ASSERT_EQ(report.sizes.size(), 1u);
  const Config second = report.sizes[0].winner;
  EXPECT_LT(second.integer("items_per_thread"), first.integer("items_per_thread"));
  EXPECT_EQ(plan_of(other).rung(), "exact");
  EXPECT_EQ(plan_of(other).config(), second);
  EXPECT_EQ(plan_of(fake).rung(), "exact");
  EXPECT_EQ(plan_of(fake).config(), first) << "each has its own";
}

TEST_F(TuneTest, LiarsAndFailuresLose) {
  options.maximum_trials = 60;
  fake.device->execute = [this](const FakeCall& call) {
    compute(problem, call);
    if (has(call.text, "load", "vectorized") && call.n > 2) static_cast<int*>(call.out)[call.n - 2] ^= 4;
  };
  fake.device->clock = [](const std::string& text, int calls) {
    return calls * (has(text, "load", "vectorized") || has(text, "store", "vectorized") ? 1.0 : 1000.0);
  };
  fake.compiler->refuse = [](const Source& source) {
    if (has(source.text, "store", "vectorized")) throw runtime::SourceRefused("it does not compile");
  };
  const TuneReport report = run();
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_NE(report.sizes[0].winner.name("load"), "vectorized");
  EXPECT_NE(report.sizes[0].winner.name("store"), "vectorized");
  int liars = 0, failures = 0;
  for (const Trial& trial : rows(path)) {
    const auto is_vectorized = [&](const char* access) {  // not every schedule has these parameters
      const auto value = trial.config.values.find(access);
      return value != trial.config.values.end() && value->second == ParameterValue("vectorized");
    };
    if (is_vectorized("store")) {
      EXPECT_EQ(trial.failure, "it does not compile");
      ++failures;
    } else if (is_vectorized("load")) {
      EXPECT_TRUE(trial.failure.starts_with("wrong at index ")) << trial.failure;
      EXPECT_TRUE(trial.samples_us.empty());
      ++liars;
    } else {
      EXPECT_EQ(trial.failure, "");
    }
  }
  EXPECT_GT(liars, 0);
  EXPECT_GT(failures, 0);
  EXPECT_EQ(report.sizes[0].failures, liars + failures);
}

TEST_F(TuneTest, LosersAreUnloaded) {
  const TuneReport report = run();
  for (const Trial& trial : rows(path)) {
    EXPECT_EQ(fake.engine->kernels().holds(generate(sized(100'000), trial.config).key),
              trial.config == report.sizes[0].winner);
  }
}

TEST_F(TuneTest, ProgressCountsOverAllSizes) {
  options.sizes = {1000, 100'000};
  options.maximum_trials = 4;
  options.budget = std::chrono::hours(1);
  std::vector<TuneProgress> seen;
  options.progress = [&](const TuneProgress& progress) { seen.push_back(progress); };
  (void)run();
  ASSERT_EQ(seen.size(), 8u);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].trials, static_cast<int>(i) + 1);
    EXPECT_EQ(seen[i].problem.size, options.sizes[i / 4]);
    EXPECT_DOUBLE_EQ(seen[i].fraction_done, static_cast<double>(i + 1) / 8);
    EXPECT_GT(seen[i].default_us, 0);
    EXPECT_LE(seen[i].best_us, seen[i].default_us);
  }
}

TEST_F(TuneTest, ALostDeviceIsTheDevicesFault) {
  std::set<std::string> kernels;
  fake.device->execute_timed = true;
  fake.device->execute = [&](const FakeCall& call) {
    kernels.insert(call.text);
    if (kernels.size() >= 3) throw DeviceError("the device is lost");
    compute(problem, call);
  };
  EXPECT_EQ(message_of<DeviceError>([&] { run(); }), "the device is lost");
  const auto trials = rows(path);
  EXPECT_EQ(probes(path).size(), 3u) << "what was measured before stays";
  for (const Trial& trial : trials) EXPECT_EQ(trial.failure, trial.id == trials.back().id ? "the device is lost" : "");
}

TEST_F(TuneTest, NotEvenTheDefaultRuns) {
  fake.device->execute = [](const FakeCall&) { throw DeviceError("launch failed"); };
  EXPECT_EQ(message_of<DeviceError>([&] { run(); }), "launch failed");
  EXPECT_TRUE(rows(path).empty()) << "a device that does not work says nothing about a config";
}

TEST_F(TuneTest, RefusesRowsWithAPitchAndUnorderedSegments) {
  const std::uint32_t* const offsets = nullptr;
  problem = in_segments(problem, unordered_segments(offsets, offsets, 10, 640));
  EXPECT_EQ(message_of<UsageError>([&] { run(); }),
            "segments in any order have the tuning results of those that ascend: tune the problem that "
            "in_segments(problem, count, items) makes");
  problem = in_rows(problem, upsweep::rows(10, 64).pitch(80));
  EXPECT_EQ(message_of<UsageError>([&] { run(); }),
            "rows with a pitch have the tuning results of rows without: tune the problem that in_rows(problem, count, "
            "length) makes");
}

TEST_F(TuneTest, RefusesWhatMakesNoSense) {
  options.sizes = {};
  EXPECT_EQ(message_of<UsageError>([&] { run(); }), "no size to tune for: give at least one number of items");
  options.sizes = {5, 0};
  EXPECT_EQ(message_of<UsageError>([&] { run(); }), "cannot tune for a size of 0 items: give sizes of at least 1");
  options.sizes = {5};
  options.maximum_trials = -1;
  EXPECT_EQ(message_of<UsageError>([&] { run(); }), "maximum_trials is -1: give a positive number, or 0 for no limit");
  options.maximum_trials = 1;
  problem.op = bit_and;
  problem.input = problem.accumulator = problem.output = Type::f32;
  EXPECT_EQ(message_of<UsageError>([&] { run(); }), "operator bit_and does not take f32: use an integer type");
  problem = make_problem(Algorithm::reduce, plus, Type::i32, Type::i32);
  options.only.schedules = {"lookback"};
  EXPECT_THAT(message_of<UsageError>([&] { run(); }), testing::HasSubstr("reduce has no schedule 'lookback'"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(TuneTest, NeedsADatabase) {
  FakeEngine without;
  const std::string expected =
      "tuning needs a database, but the database is 'none': name a file with --db, UPSWEEP_DB or TuneOptions::database";
  EXPECT_EQ(message_of<UsageError>([&] { tune(*without.engine, problem, options); }), expected);
  options.database = "none";
  EXPECT_EQ(message_of<UsageError>([&] { run(); }), expected);
}

TEST_F(TuneTest, ADatabaseThatIsNone) {
  options.database = folder / "file.txt";
  std::ofstream(options.database) << "this is no database, and it is long enough to tell";
  EXPECT_NE(message_of<DatabaseError>([&] { run(); }), "");
}

}  // namespace
}  // namespace upsweep::tuner
