// Several processes on one database, and processes that end in the middle of it.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <upsweep/error.hpp>

#include "processes.hpp"
#include "support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuning_db {
namespace {

using Mode = Database::Mode;

class ProcessTest : public testing::Test {
 protected:
  test::TestFolder folder_;
  std::filesystem::path path_ = folder_ / "sub/tuning.db";
};

TEST_F(ProcessTest, ManyCreateAndRecordAtOnce) {
  constexpr int processes = 4;
  constexpr int records = 50;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    children.push_back(start([&, p] {
      Database database(path_, Mode::read_write);
      for (int i = 0; i < records; ++i) {
        Trial trial = trial_of(scan_of(Type::i32, 1u << (10 + i % 10)), 1.0 + p * records + i);
        trial.environment.driver = "process " + std::to_string(p);
        const std::int64_t id = database.record(trial);
        if (i % 10 == 0) database.set_winner(id);
      }
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  const Database database(path_, Mode::read_only);
  std::array<int, processes> of_process{};
  std::vector<bool> seen(processes * records);
  for (const Trial& trial : database.trials()) {
    ++of_process.at(static_cast<std::size_t>(std::stoi(trial.environment.driver.substr(8))));
    seen.at(static_cast<std::size_t>(trial.samples_us.at(0)) - 1) = true;
  }
  EXPECT_THAT(of_process, testing::Each(records));
  EXPECT_THAT(seen, testing::Each(true));
  EXPECT_TRUE(database.check().ok());
  EXPECT_EQ(database.winners().size(), 4u) << "one for each environment";
}

TEST_F(ProcessTest, ManyCreateAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const auto path = folder_ / std::to_string(round) / "tuning.db";
    std::vector<pid_t> children;
    for (int p = 0; p < 6; ++p) {
      children.push_back(start([&] { Database(path, Mode::read_write); }));
    }
    for (const pid_t child : children) EXPECT_EQ(status_of(child), 0) << round;
    EXPECT_TRUE(Database(path, Mode::read_only).check().ok()) << round;
  }
}

TEST_F(ProcessTest, ReadersMayComeWhileItIsMade) {
  for (int round = 0; round < 10; ++round) {
    const auto path = folder_ / ("r" + std::to_string(round) + ".db");
    const pid_t reader = start([&] {
      while (!std::filesystem::exists(path)) ::usleep(50);
      for (int i = 0; i < 50; ++i) {
        if (!Database(path, Mode::read_only).check().ok()) throw std::runtime_error("a reader found damage");
      }
    });
    Database(path, Mode::read_write).record(trial_of(scan_of(Type::i32, 1 << 20), 8.0));
    EXPECT_EQ(status_of(reader), 0) << round;
  }
}

TEST_F(ProcessTest, KilledWriterLosesNothingItReported) {
  for (const int reports_before_kill : {1, 7, 20}) {
    const auto path = folder_ / std::to_string(reports_before_kill) / "tuning.db";
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = start([&] {
      Database database(path, Mode::read_write);
      for (std::int64_t i = 0;; ++i) {
        const std::int64_t id = database.record(trial_of(scan_of(Type::i32, 1 << 20), 1.0 + static_cast<double>(i)));
        if (::write(pipe[1], &id, sizeof id) != sizeof id) return;
      }
    });
    ::close(pipe[1]);
    std::vector<std::int64_t> reported;
    std::int64_t id = 0;
    while (::read(pipe[0], &id, sizeof id) == sizeof id) {
      reported.push_back(id);
      if (reported.size() == static_cast<std::size_t>(reports_before_kill)) ::kill(child, SIGKILL);
    }
    ::close(pipe[0]);
    EXPECT_TRUE(WIFSIGNALED(status_of(child)));
    const Database database(path, Mode::read_only);
    const auto trials = database.trials();
    ASSERT_GE(trials.size(), reported.size());
    ASSERT_LE(trials.size(), reported.size() + 1);  // one may be committed and not yet reported
    for (std::size_t i = 0; i < reported.size(); ++i) {
      EXPECT_EQ(trials[i].id, reported[i]);
      EXPECT_EQ(trials[i].samples_us.at(0), 1.0 + static_cast<double>(i));
    }
    EXPECT_TRUE(database.check().ok());
  }
}

// A transaction larger than SQLite's page cache is in part in the file when its process dies; the journal undoes it.
TEST_F(ProcessTest, HalfWrittenTransactionIsUndone) {
  {
    Database database(path_, Mode::read_write);
    for (int i = 0; i < 5; ++i) database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0 + i));
  }
  const std::string before = bytes_of(path_);
  for (const Mode mode : {Mode::read_only, Mode::read_write}) {
    const pid_t child = start([&] {
      sqlite3* handle = nullptr;
      sqlite3_open(path_.c_str(), &handle);
      const int code =
          sqlite3_exec(handle,
                       "PRAGMA cache_size = 5; BEGIN IMMEDIATE; UPDATE trial SET samples_us = 'x'; WITH "
                       "RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO "
                       "config(json) SELECT hex(randomblob(200)) FROM n",
                       nullptr, nullptr, nullptr);
      ::_exit(code);
    });
    ASSERT_EQ(status_of(child), 0);
    ASSERT_FALSE(bytes_of(path_) == before) << "nothing was half written: this test proves nothing";
    ASSERT_TRUE(std::filesystem::exists(path_.string() + "-journal"));
    const Database database(path_, mode);
    EXPECT_EQ(database.trials().size(), 5u);
    EXPECT_TRUE(database.check().ok());
    EXPECT_TRUE(bytes_of(path_) == before) << "it was not undone";
    EXPECT_FALSE(std::filesystem::exists(path_.string() + "-journal"));
  }
}

TEST_F(ProcessTest, SecondObjectInOneProcessKeepsTheLocks) {
  Database database(path_, Mode::read_write);
  sqlite3* holder = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &holder), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  Database(path_, Mode::read_only);  // its file handle is opened and closed while the lock is held
  const pid_t child = start([&] {
    sqlite3* other = nullptr;
    sqlite3_open(path_.c_str(), &other);
    ::_exit(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_BUSY ? 0 : 1);
  });
  EXPECT_EQ(status_of(child), 0) << "another process got the lock";
  sqlite3_close(holder);
  EXPECT_EQ(database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0)), 1);
}

}  // namespace
}  // namespace upsweep::tuning_db
