// Requests, merging, pruning, compacting, pinned files, and winners of several environments.
#include <gmock/gmock.h>

#include <array>

#include <limits>
#include <upsweep/error.hpp>

#include "choose_support.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Mode = Database::Mode;

class UpkeepTest : public testing::Test {
 protected:
  Database open(const std::string& name) { return {folder_ / name, Mode::read_write}; }

  static Wanted wanted_of(const Problem& problem, std::uint64_t count = 1) {
    return {.device = h200(), .problem = problem, .size_class = 0, .count = count, .rung = "built_in"};
  }

  // A trial of 2^20 items of i32, of a session and a stage.
  static std::int64_t add(Database& database, double time, Stage stage = Stage::probe, const std::string& session = "a",
                          const char* measured_at = "2026-11-21T06:58:00Z", const DeviceIdentity& device = h200()) {
    Trial trial = trial_of(scan_of(Type::i32, 1 << 20), time, device);
    trial.stage = stage;
    trial.session = session;
    trial.measured_at = measured_at;
    return database.record(trial);
  }
  static std::int64_t add_failure(Database& database) {
    Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 1);
    trial.samples_us.clear();
    trial.verdict = Verdict::hung;
    trial.failure = "ran past its deadline";
    return database.record(trial);
  }
  static std::vector<std::int64_t> ids(const Database& database) {
    std::vector<std::int64_t> found;
    for (const Trial& trial : database.trials()) found.push_back(trial.id);
    return found;
  }

  test::TestFolder folder_;
  Database database_ = open("tuning.db");
};

// ---- winners of several environments

TEST_F(UpkeepTest, WinnersOfEveryEnvironmentAreKept) {
  Trial old = trial_of(scan_of(Type::i32, 1 << 20), 9.0);
  old.environment.compiler = "nvrtc 12.9";
  old.measured_at = "2026-01-01T00:00:00Z";
  const Trial now = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
  database_.set_winner(database_.record(now));
  database_.set_winner(database_.record(old));
  const auto winners = database_.winners();
  ASSERT_EQ(winners.size(), 2u);
  EXPECT_EQ(winners[0].trial.environment, now.environment) << "the newest first";
  EXPECT_EQ(winners[1].trial.environment, old.environment);
  Database other = open("other.db");
  EXPECT_EQ(import_json(other, export_json(database_)).winners_set, 2u);
  EXPECT_EQ(export_json(other), export_json(database_));
}

// ---- wanted

TEST_F(UpkeepTest, ARequestThatNoRowCanHoldDoesNotTakeOthersAlong) {
  const Problem kept = scan_of(Type::i32, 1 << 20);
  for (const std::uint64_t size : {std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    database_.want(std::vector{wanted_of(kept), wanted_of(scan_of(Type::i32, size)), wanted_of(kept)});
  }
  ASSERT_EQ(database_.wanted().size(), 1u);
  EXPECT_EQ(database_.wanted()[0].problem, kept);
  EXPECT_EQ(database_.wanted()[0].count, 4u);
}

TEST_F(UpkeepTest, RequestsAddUp) {
  const Problem one = scan_of(Type::i32, 1 << 20), other = scan_of(Type::f32, 1 << 20);
  database_.want(std::vector{wanted_of(one), wanted_of(other, 2), wanted_of(one)});
  Problem of_one_class = one;
  of_one_class.size += 5;
  Wanted later = wanted_of(of_one_class);
  later.rung = "nearest_size";
  later.last_at = "2999-01-01T00:00:00Z";
  database_.want(std::vector{later});
  const auto wanted = Database(database_.path(), Mode::read_only).wanted();
  ASSERT_EQ(wanted.size(), 2u);
  EXPECT_EQ(wanted[0].problem, of_one_class) << "the size asked for last";
  EXPECT_EQ(wanted[0].count, 3u);
  EXPECT_EQ(wanted[0].size_class, 20);
  EXPECT_EQ(wanted[0].rung, "nearest_size");
  EXPECT_EQ(wanted[0].last_at, "2999-01-01T00:00:00Z");
  EXPECT_LE(wanted[0].first_at, utc_now());
  EXPECT_EQ(wanted[0].device, h200());
  EXPECT_EQ(wanted[1].problem, other);
  EXPECT_EQ(wanted[1].count, 2u);
  EXPECT_EQ(database_.wanted(h200()).size(), 2u);
  EXPECT_THAT(database_.wanted(device_of("another", 8, 0)), IsEmpty());
  EXPECT_EQ(database_.check().wanted, 2u);
  EXPECT_TRUE(database_.check().ok());
}

TEST_F(UpkeepTest, RequestsEndWithAWinner) {
  const Problem one = scan_of(Type::i32, 1 << 20), far = scan_of(Type::i32, 1 << 21);
  database_.want(std::vector{wanted_of(one), wanted_of(far)});
  database_.set_winner(database_.record(trial_of(one, 8.0, device_of("another", 9, 0))));
  EXPECT_EQ(database_.wanted().size(), 2u) << "another device's";
  database_.set_winner(add(database_, 8.0));
  ASSERT_EQ(database_.wanted().size(), 1u);
  EXPECT_EQ(database_.wanted()[0].problem, far);
  database_.want(std::vector{wanted_of(one)});
  EXPECT_EQ(database_.wanted().size(), 1u) << "a process that began before the tune does not bring it back";
  run_sql(database_.path(), "UPDATE trial SET samples_us = 'x'");
  database_.want(std::vector{wanted_of(one)});
  EXPECT_EQ(database_.wanted().size(), 2u) << "a winner that cannot be used is none";
  EXPECT_EQ(database_.clear_wanted(), 2u);
  EXPECT_THAT(database_.wanted(), IsEmpty());
}

TEST_F(UpkeepTest, RequestsThatMakeNoSenseAreRefusedOrSkipped) {
  EXPECT_THAT(message_of<UsageError>([&] { database_.want(std::vector{wanted_of(scan_of(Type::f32, 5, affine))}); }),
              HasSubstr("affine"));
  Wanted nameless = wanted_of(scan_of(Type::i32, 5));
  nameless.device.name.clear();
  EXPECT_THAT(message_of<UsageError>([&] { database_.want(std::vector{nameless}); }), HasSubstr("no name"));
  database_.want(std::vector{wanted_of(scan_of(Type::i32, 1 << 20)), wanted_of(scan_of(Type::f32, 1 << 20))});
  for (const char* damage : {"size_class = 3", "count = 0", "count = -1", "last_at = 'x'", "first_at = ''",
                             "device = 77", "problem = 77", "rung = CAST(x'ff' AS TEXT)"}) {
    Database copy = open("copy.db");
    copy.clear_wanted();
    copy.want(std::vector{wanted_of(scan_of(Type::i32, 1 << 20)), wanted_of(scan_of(Type::f32, 1 << 20))});
    run_sql(copy.path(), std::string("UPDATE wanted SET ") + damage + " WHERE problem = 1");
    EXPECT_EQ(copy.wanted().size(), 1u) << damage;
    EXPECT_THAT(copy.check().problems, testing::Contains(HasSubstr("a wanted problem: "))) << damage;
  }
}

// ---- merge

TEST_F(UpkeepTest, MergesAnotherDatabase) {
  Database other = open("other.db");
  database_.set_winner(add(database_, 8.0));
  other.set_winner(add(other, 7.0));
  add_failure(other);
  other.want(std::vector{wanted_of(scan_of(Type::u8, 1 << 12))});
  Trial of_old_driver = trial_of(scan_of(Type::i32, 1 << 20), 1.0);
  of_old_driver.environment.driver = "570";
  other.set_winner(other.record(of_old_driver));
  const MergeReport report = database_.merge(other);
  EXPECT_EQ(report, (MergeReport{.trials_added = 3, .trials_present = 0, .winners_set = 2, .winners_kept = 0}));
  EXPECT_EQ(database_.trials().size(), 4u);
  const auto winners = database_.winners();
  ASSERT_EQ(winners.size(), 2u) << "the lower median wins among equal environments only";
  EXPECT_THAT((std::vector{winners[0].trial.samples_us[0], winners[1].trial.samples_us[0]}),
              testing::UnorderedElementsAre(7.0, 1.0));
  EXPECT_THAT(database_.wanted(), IsEmpty());
  EXPECT_EQ(database_.merge(other),
            (MergeReport{.trials_added = 0, .trials_present = 3, .winners_set = 0, .winners_kept = 2}));
}

// Winners of one side may have been measured with different sizes: what counts is the time per item.
TEST_F(UpkeepTest, MergesWinnersOfASideByTimePerItem) {
  constexpr std::uint64_t power = 1 << 20;
  database_.set_winner(database_.record(trial_of(scan_of(Type::i32, power + 1), 10.0)));
  const std::vector<Trial> slower{trial_of(scan_of(Type::i32, power + power / 4), 13.0)};
  EXPECT_EQ(database_.merge(slower, {}).winners_kept, 1u);
  const std::vector<Trial> faster{trial_of(scan_of(Type::i32, power + power / 4), 12.0)};
  EXPECT_EQ(database_.merge(faster, {}).winners_set, 1u);
  const std::vector<Trial> others{trial_of(scan_of(Type::i32, power), 99.0),
                                  trial_of(scan_of(Type::i32, power - 1), 99.0)};
  EXPECT_EQ(database_.merge(others, {}).winners_set, 2u) << "other sides have their own";
  EXPECT_EQ(database_.winners().size(), 3u);
}

// ---- prune and compact

// A winner says nothing of trials on another side of its size class.
TEST_F(UpkeepTest, PrunesLosersOfTheSameSideOnly) {
  constexpr std::uint64_t power = 1 << 20;
  std::vector<std::int64_t> trials;
  for (const std::uint64_t size : {power - 5, power, power + 5}) {
    trials.push_back(database_.record(trial_of(scan_of(Type::i32, size), 9.0)));
  }
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    const Problem problem = scan_of(Type::i32, std::array{power - 3, power, power + 3}[side]);
    const auto winner = database_.record(trial_of(problem, 8.0));
    database_.set_winner(winner);
    EXPECT_EQ(database_.prune({.losers = true}).trials, 1u);
    EXPECT_THAT(ids(database_), testing::Not(testing::Contains(trials[side]))) << side;
  }
}

TEST_F(UpkeepTest, PrunesLosersButNotFinalists) {
  const auto probe = add(database_, 9.0), race = add(database_, 9.0, Stage::race);
  const auto old_final = add(database_, 9.0, Stage::final, "b");
  const auto finalist = add(database_, 8.5, Stage::final);
  const auto winner = add(database_, 8.0, Stage::final);
  const auto failure = add_failure(database_);
  const auto later = add(database_, 9.0, Stage::probe, "c");                            // of a tune that has not ended
  const auto elsewhere = database_.record(trial_of(scan_of(Type::f32, 1 << 20), 9.0));  // nothing won there
  EXPECT_EQ(database_.prune({.losers = true}).trials, 0u);
  database_.set_winner(winner);
  const PruneReport counted = database_.prune({.losers = true, .dry_run = true});
  EXPECT_EQ(counted, (PruneReport{.trials = 3, .winners = 0, .wanted = 0}));
  EXPECT_EQ(ids(database_).size(), 8u) << "a dry run changes nothing";
  EXPECT_EQ(database_.prune({.losers = true}), counted);
  EXPECT_THAT(ids(database_), ElementsAre(finalist, winner, failure, later, elsewhere)) << probe << race << old_final;
  EXPECT_EQ(database_.prune({.failed = true}).trials, 1u);
  EXPECT_THAT(ids(database_), ElementsAre(finalist, winner, later, elsewhere));
  EXPECT_TRUE(database_.check().ok());
}

TEST_F(UpkeepTest, PrunesADeviceWithAllThatItHas) {
  const DeviceIdentity gone = device_of("Old GPU", 7, 0);
  database_.set_winner(add(database_, 8.0));
  database_.set_winner(add(database_, 9.0, Stage::probe, "", "2026-11-21T06:58:00Z", gone));
  Wanted wanted = wanted_of(scan_of(Type::u8, 1 << 12));
  database_.want(std::vector{wanted});
  wanted.device = gone;
  database_.want(std::vector{wanted});
  const auto is_gone = [](const Problem&, const std::string& device) { return device == "Old GPU"; };
  EXPECT_EQ(database_.prune({.matches = is_gone}), (PruneReport{.trials = 1, .winners = 1, .wanted = 1}));
  EXPECT_EQ(database_.winners().size(), 1u);
  EXPECT_EQ(database_.wanted().size(), 1u);
  EXPECT_TRUE(database_.check().ok());
  EXPECT_EQ(database_.prune({.matches = is_gone}), PruneReport()) << "nothing of it is left";
}

TEST_F(UpkeepTest, PrunesOneProblemOfOneSize) {
  const Problem gone = scan_of(Type::f32, 1 << 12);
  const auto loser = database_.record(trial_of(gone, 9.0)), winner = database_.record(trial_of(gone, 8.0));
  database_.set_winner(winner);
  const auto larger = database_.record(trial_of(scan_of(Type::f32, 1 << 20), 9.0)), other = add(database_, 9.0);
  const auto failure = add_failure(database_);
  database_.set_winner(other);
  database_.want(std::vector{wanted_of(scan_of(Type::f32, 1 << 16)), wanted_of(scan_of(Type::f32, 1 << 13))});
  const auto is_gone = [](const Problem& problem, const std::string&) {
    return problem.input == Type::f32 && problem.size < 1 << 14;
  };
  const PruneReport both{.trials = 2, .winners = 1, .wanted = 1};
  EXPECT_EQ(database_.prune({.failed = true, .matches = is_gone}).trials, 0u);
  EXPECT_EQ(database_.prune({.matches = is_gone, .older_than_days = 100'000}).trials, 0u);
  EXPECT_EQ(database_.prune({.losers = true, .matches = is_gone, .dry_run = true}).trials, 1u);
  EXPECT_EQ(database_.prune({.matches = is_gone, .dry_run = true}), both);
  EXPECT_EQ(ids(database_).size(), 5u) << "a dry run changes nothing";
  EXPECT_EQ(database_.prune({.matches = is_gone}), both) << loser;
  EXPECT_THAT(ids(database_), ElementsAre(larger, other, failure));
  ASSERT_EQ(database_.winners().size(), 1u);
  EXPECT_EQ(database_.winners()[0].trial.id, other);
  ASSERT_EQ(database_.wanted().size(), 1u);
  EXPECT_EQ(database_.wanted()[0].problem.size, 1u << 16);
  EXPECT_TRUE(database_.check().ok());
}

TEST_F(UpkeepTest, PrunesByAge) {
  add(database_, 8.0, Stage::probe, "", "2020-01-01T00:00:00.5Z");
  const auto today = add(database_, 8.0, Stage::probe, "", utc_now().c_str());
  EXPECT_EQ(database_.prune({.failed = true, .older_than_days = 30}).trials, 0u);
  EXPECT_EQ(database_.prune({.older_than_days = 30}).trials, 1u);
  EXPECT_THAT(ids(database_), ElementsAre(today));
  EXPECT_THAT(message_of<UsageError>([&] { database_.prune({}); }), HasSubstr("say which rows"));
  EXPECT_THAT(message_of<UsageError>([&] { database_.prune({.older_than_days = -1}); }),
              HasSubstr("--older-than is -1: give"));
}

// In nanoseconds, more than 292 years overflow.
TEST_F(UpkeepTest, AGreatAgePrunesNothing) {
  add(database_, 8.0, Stage::probe, "", "1999-12-31T23:59:59Z");
  for (const int days : {106'751, 106'752, 150'000, 400'000, 800'000, std::numeric_limits<int>::max()}) {
    EXPECT_EQ(database_.prune({.older_than_days = days}).trials, 0u) << days;
  }
  EXPECT_EQ(ids(database_).size(), 1u);
}

TEST_F(UpkeepTest, CompactsAfterPruning) {
  for (int i = 0; i < 200; ++i) add_failure(database_);
  database_.set_winner(add(database_, 8.0));
  database_.prune({.failed = true});
  const std::string before = export_json(database_, {.trials = true});
  const CompactReport report = database_.compact();
  EXPECT_LT(report.bytes_after, report.bytes_before);
  EXPECT_EQ(report.bytes_after, std::filesystem::file_size(database_.path()));
  EXPECT_EQ(export_json(Database(database_.path(), Mode::read_only), {.trials = true}), before);
  EXPECT_TRUE(database_.check().ok());
}

// ---- pinned files

TEST_F(UpkeepTest, PinnedDatabaseOrExport) {
  database_.set_winner(add(database_, 8.0));
  write_bytes(folder_ / "pinned.json", export_json(database_));
  for (const char* name : {"tuning.db", "pinned.json"}) {
    const auto winners = pinned_winners(folder_ / name);
    ASSERT_EQ(winners.size(), 1u);
    EXPECT_EQ(winners[0].origin, "pinned");
    EXPECT_EQ(winners[0].trial.samples_us.at(0), 8.0);
    EXPECT_EQ(choose_for(scan_of(Type::i32, 1 << 20), winners).reason,
              "pinned database: tuned on this device for 2^20 items");
  }
}

TEST_F(UpkeepTest, PinnedFileThatIsNone) {
  EXPECT_THAT(
      message_of<DatabaseError>([&] { (void)pinned_winners(folder_ / "none.db"); }),
      AllOf(HasSubstr("none.db (UPSWEEP_PINNED_DB or ContextOptions::pinned_database): it cannot be read: name"),
            HasSubstr("a database file, or an export of one")));
  EXPECT_THAT(message_of<DatabaseError>([&] { (void)pinned_winners(folder_.path()); }), HasSubstr("cannot be read"));
  write_bytes(folder_ / "text", "hello");
  EXPECT_THAT(message_of<InputError>([&] { (void)pinned_winners(folder_ / "text"); }),
              AllOf(HasSubstr("text (UPSWEEP_PINNED_DB or"), HasSubstr("not valid JSON")));
  run_sql(folder_ / "foreign.db", "CREATE TABLE x(y)");
  EXPECT_THAT(message_of<DatabaseError>([&] { (void)pinned_winners(folder_ / "foreign.db"); }),
              HasSubstr("another program's"));
}

// ---- patience

TEST_F(UpkeepTest, WaitsNoLongerThanItIsTold) {
  sqlite3* holder = nullptr;
  ASSERT_EQ(sqlite3_open(database_.path().c_str(), &holder), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(holder, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(message_of<DatabaseError>(
                  [&] { Database(database_.path(), Mode::read_write, std::chrono::milliseconds(100)).want({}); }),
              HasSubstr("other processes keep it locked"));
  const auto waited = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(waited, std::chrono::milliseconds(100));
  EXPECT_LT(waited, std::chrono::seconds(5));
  sqlite3_close(holder);
}

}  // namespace
}  // namespace upsweep::tuning_db
