// Many problems, several devices.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <thread>

#include <upsweep/error.hpp>
#include <upsweep/tune.hpp>

#include "tests/tuner/fake_device.hpp"
#include "tuner/tune_engine.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Database;

const Problem sum = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32);
const Problem most = make_problem(Algorithm::inclusive_scan, maximum, Type::i32, Type::i32);

// A device that computes whichever of the two problems a kernel is for.
struct Gpu {
  explicit Gpu(const std::filesystem::path& database, const std::string& name) : fake(database) {
    fake.device->own_identity.name = name;
    fake.device->execute = [](const FakeCall& call) {
      compute(call.text.find("inclusive_scan plus") != std::string::npos ? sum : most, call);
    };
  }
  FakeEngine fake;
};

class TuneJobs : public testing::Test {
 protected:
  TuneJobs() {
    options.maximum_trials = 3;
    options.isolation = Isolation::in_process;
  }
  std::vector<TuneReport> run(std::vector<runtime::Engine*> engines) {
    return tune(engines, jobs, options, [this](const TuneJob& job, const std::string& why) {
      failed.push_back(to_string(job.problem) + ": " + why);
    });
  }
  test::TestFolder folder;
  std::filesystem::path path = folder / "tuning.db";
  std::vector<TuneJob> jobs{{sum, {1000, 5000}}, {most, {1000}}};
  TuneOptions options;
  std::vector<std::string> failed;
};

TEST_F(TuneJobs, AllProblemsAtAllSizes) {
  Gpu gpu(path, "A");
  const std::vector<TuneReport> reports = run({gpu.fake.engine.get()});
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].sizes.size(), 2u);
  EXPECT_EQ(reports[1].problem.op, maximum);
  EXPECT_EQ(Database(path, Database::Mode::read_only).winners().size(), 3u);
  EXPECT_TRUE(failed.empty());
}

TEST_F(TuneJobs, DevicesOfOneKindShareTheJobs) {
  Gpu first(path, "A"), second(path, "A");
  EXPECT_EQ(run({first.fake.engine.get(), second.fake.engine.get()}).size(), 2u);
  EXPECT_EQ(Database(path, Database::Mode::read_only).winners().size(), 3u);
}

TEST_F(TuneJobs, DevicesOfTwoKindsEachDoAll) {
  Gpu first(path, "A"), second(path, "B");
  EXPECT_EQ(run({first.fake.engine.get(), second.fake.engine.get()}).size(), 4u);
  std::map<std::string, int> winners;
  for (const auto& winner : Database(path, Database::Mode::read_only).winners()) ++winners[winner.trial.device.name];
  EXPECT_EQ(winners, (std::map<std::string, int>{{"A", 3}, {"B", 3}}));
}

TEST_F(TuneJobs, EachReportIsToldWhenItIsThere) {
  Gpu gpu(path, "A");
  std::vector<std::size_t> sizes;
  options.finished = [&](const TuneReport& report) { sizes.push_back(report.sizes.size()); };
  (void)run({gpu.fake.engine.get()});
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1}));
}

// The first problem takes all of the time.
TEST_F(TuneJobs, WhatIsNotBegunInTheTotalTimeFails) {
  Gpu gpu(path, "A");
  options.total_budget = std::chrono::milliseconds(2000);
  options.finished = [](const TuneReport&) { std::this_thread::sleep_for(std::chrono::milliseconds(2100)); };
  const std::vector<TuneReport> reports = run({gpu.fake.engine.get()});
  EXPECT_EQ(reports.size(), 1u);
  EXPECT_EQ(failed, std::vector<std::string>{
                        "inclusive_scan maximum i32: the time for all problems ended before this problem was started"});
}

// On the fake device nothing is slow, but its compiler may be.
TEST_F(TuneJobs, AProblemWithoutTimeFailsAloneAndTheOthersGoOn) {
  Gpu gpu(path, "A");
  options.budget = std::chrono::milliseconds(1);
  options.compile_jobs = 1;
  gpu.fake.compiler->refuse = [](const Source& source) {
    if (source.text.find("inclusive_scan plus") == std::string::npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  };
  const std::vector<TuneReport> reports = run({gpu.fake.engine.get()});
  EXPECT_EQ(reports.size() + failed.size(), 2u);
  ASSERT_GE(failed.size(), 1u);
  EXPECT_TRUE(failed[0].starts_with("inclusive_scan plus i32: there was no time")) << failed[0];
}

TEST_F(TuneJobs, AJobThatFailsLeavesTheOthers) {
  Gpu gpu(path, "A");
  gpu.fake.device->execute = [](const FakeCall& call) {
    if (call.text.find("inclusive_scan plus") == std::string::npos) compute(most, call);
  };
  const std::vector<TuneReport> reports = run({gpu.fake.engine.get()});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].problem.op, maximum);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].substr(0, 24), "inclusive_scan plus i32:");
}

TEST_F(TuneJobs, AnUnusableDatabaseEndsAll) {
  std::ofstream(path) << "no database";
  Gpu gpu(path, "A");
  EXPECT_THROW((void)run({gpu.fake.engine.get()}), DatabaseError);
}

TEST_F(TuneJobs, NoDeviceIsAnError) {
  EXPECT_EQ(message_of<UsageError>([&] { (void)run({}); }), "no device to tune: give at least one context");
}

TEST_F(TuneJobs, ProgressCountsJobs) {
  Gpu gpu(path, "A");
  std::set<std::pair<int, int>> seen;
  options.progress = [&](const TuneProgress& now) { seen.emplace(now.jobs_done, now.jobs); };
  (void)run({gpu.fake.engine.get()});
  EXPECT_EQ(seen, (std::set<std::pair<int, int>>{{0, 2}, {1, 2}}));
}

TEST(BuiltInJobs, AllProblemsAtTheSizesThatFit) {
  FakeDevice device;
  device.own_limits.memory_bytes = std::uint64_t{1} << 34;
  const std::vector<TuneJob> jobs = built_in_jobs(device);
  EXPECT_EQ(jobs.size(), built_in_problems().size());
  for (const TuneJob& job : jobs) {
    EXPECT_EQ(job.sizes.front(), 1024u);
    if (job.problem == make_problem(Algorithm::reduce, plus, Type::i8, Type::i8)) {
      EXPECT_EQ(job.sizes.back(), 1u << 30);
    }
    if (job.problem == make_problem(Algorithm::inclusive_scan, plus, Type::f64, Type::f64)) {
      EXPECT_EQ(job.sizes.back(), 1u << 29) << "16 bytes an item in half of 2^34";
    }
  }
}

TEST(BuiltInJobs, TheHostDeviceGetsSmallSizes) {
  FakeDevice device;
  device.own_target = Target::host;
  for (const TuneJob& job : built_in_jobs(device)) EXPECT_EQ(job.sizes.back(), 1u << 14);
}

}  // namespace
}  // namespace upsweep::tuner
