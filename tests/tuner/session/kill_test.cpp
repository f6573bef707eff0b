// Tunes of a made-up device, killed at any moment: what was committed stays, and the next tune goes on from there.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include "tests/tuner/fake_device.hpp"
#include "tuner/tune_engine.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Database;
using tuning_db::Trial;

const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32);

TuneOptions options_of(int maximum_trials) {
  TuneOptions options;
  options.sizes = {1000};
  options.maximum_trials = maximum_trials;
  options.strategy = "random";
  options.isolation = Isolation::in_process;
  options.compile_jobs = 1;
  return options;
}

TuneReport tune_it(const std::filesystem::path& path, const TuneOptions& options) {
  FakeEngine fake(path);
  fake.device->execute = [](const FakeCall& call) { compute(problem, call); };
  return tune(*fake.engine, problem, options);
}

// A child that tunes, and says so in a byte after each trial. The row of the last one may not be written yet: that is
// done beside the next one (SessionOptions::overlap).
struct Child {
  Child(const std::filesystem::path& path, int maximum_trials) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    process = ::fork();
    if (process == 0) {
      ::close(ends[0]);
      TuneOptions options = options_of(maximum_trials);
      options.progress = [&](const TuneProgress&) { (void)!::write(ends[1], "x", 1); };
      int code = 1;
      try {
        (void)tune_it(path, options);
        code = 0;
      } catch (const std::exception& error) {
        ::fprintf(stderr, "the child's tune: %s\n", error.what());
      }
      ::_exit(code);
    }
    ::close(ends[1]);
    output = ends[0];
  }
  // How many trials it said it had done.
  int kill_after(std::chrono::microseconds time) {
    std::this_thread::sleep_for(time);
    ::kill(process, SIGKILL);
    int said = 0;
    char byte = 0;
    while (::read(output, &byte, 1) == 1) ++said;
    ::close(output);
    ::waitpid(process, nullptr, 0);
    return said;
  }
  pid_t process = -1;
  int output = -1;
};

std::size_t configs_in(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path) || std::filesystem::file_size(path) == 0) return 0;
  std::set<Config> configs;
  for (const Trial& trial : Database(path, Database::Mode::read_only).trials()) configs.insert(trial.config);
  return configs.size();
}

TEST(Kill, NoCommittedTrialIsLostAndEveryResumeCompletes) {
  const bool all = std::getenv("UPSWEEP_LONG_TESTS") != nullptr;
  const int kills = all ? 1000 : 60;
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  int done = 0, resumed = 0;
  while (done < kills) {
    const test::TestFolder folder;
    const std::filesystem::path path = folder / "tuning.db";
    std::size_t committed = 0;
    // A few kills of one tune, then a run to its end.
    for (int i = 0; i < 10 && done < kills; ++i, ++done) {
      Child child(path, 1000);
      const int said = child.kill_after(std::chrono::microseconds(random() % 60'000));
      committed += static_cast<std::size_t>(std::max(said - 1, 0));
      const std::size_t kept = configs_in(path);
      ASSERT_GE(kept, committed) << "kill " << done;
      committed = kept;  // one more may have been committed than was said
    }
    const int more = 5;
    const TuneReport report = tune_it(path, options_of(static_cast<int>(committed) + more));
    ASSERT_EQ(report.sizes.size(), 1u);
    EXPECT_EQ(static_cast<std::size_t>(report.sizes[0].earlier), committed);
    EXPECT_EQ(report.sizes[0].trials, more) << "nothing is measured twice";
    const Database database(path, Database::Mode::read_only);
    EXPECT_EQ(database.winners().size(), 1u);
    EXPECT_TRUE(database.check().ok());
    ++resumed;
  }
  RecordProperty("kills", done);
  RecordProperty("resumed", resumed);
}

}  // namespace
}  // namespace upsweep::tuner
