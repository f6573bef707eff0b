// Files of every version of the schema and of the exchange format that is read, as they were written then.
// tests/tuning-db/golden/vN.db is a database of version N, vN.json what `upsweep db export --trials` made of it.
#include <gmock/gmock.h>

#include <set>

#include <nlohmann/json.hpp>

#include "killing_vfs.hpp"
#include "processes.hpp"
#include "support.hpp"
#include "tuning-db/choose.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/schema.hpp"

namespace upsweep::tuning_db {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using Mode = Database::Mode;

constexpr std::size_t all_trials = 8;
constexpr std::size_t all_winners = 5;

std::string golden(int version, const char* extension) {
  return bytes_of(fs::path(UPSWEEP_SOURCE_DIR "/tests/tuning-db/golden") / ("v" + std::to_string(version) + extension));
}

std::string exported(const Database& database) {
  return export_json(database, {.trials = true});
}

int version_of(const fs::path& path) {
  return static_cast<unsigned char>(bytes_of(path).at(63));  // of SQLite's header: user_version's last byte
}

class GoldenTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    ASSERT_EQ(golden(GetParam(), ".db").substr(68, 4), "upsw") << "no golden file of this version";
    write_bytes(path_, golden(GetParam(), ".db"));
  }
  test::TestFolder folder_;
  fs::path path_ = folder_ / "tuning.db";
};

INSTANTIATE_TEST_SUITE_P(Versions, GoldenTest, testing::Range(oldest_schema_version, schema_version + 1));

TEST_P(GoldenTest, IsReadAsItStands) {
  const std::string before = bytes_of(path_);
  ASSERT_EQ(version_of(path_), GetParam());
  const Database database(path_, Mode::read_only);
  EXPECT_EQ(database.trials().size(), all_trials);
  EXPECT_EQ(database.winners().size(), all_winners);
  EXPECT_THAT(database.check().problems, IsEmpty());
  EXPECT_EQ(database.trials({.problem = scan_of(Type::f64, 1)}).size(), 1u);
  Database imported(folder_ / "imported.db", Mode::read_write);
  (void)import_json(imported, golden(GetParam(), ".json"));
  EXPECT_EQ(exported(database), exported(imported)) << "the database and the export of this version say the same";
  EXPECT_TRUE(bytes_of(path_) == before) << "reading changed it";
}

TEST_P(GoldenTest, IsBroughtUpToDateForWriting) {
  const auto trials = Database(path_, Mode::read_only).trials();
  const auto winners = Database(path_, Mode::read_only).winners();
  {
    Database database(path_, Mode::read_write);
    EXPECT_EQ(database.trials(), trials) << "ids too";
    EXPECT_EQ(database.winners(), winners);
    EXPECT_THAT(database.check().problems, IsEmpty());
    EXPECT_EQ(database.record(trial_of(scan_of(Type::u8, 1 << 12), 2.0)), std::int64_t{all_trials} + 1);
  }
  EXPECT_EQ(version_of(path_), schema_version);
  const Database again(path_, Mode::read_only);
  EXPECT_EQ(again.trials().size(), all_trials + 1);
  EXPECT_THAT(again.check().problems, IsEmpty());
}

// What this version writes is what its golden file holds: whoever changes the schema or the format makes a new version.
TEST(Golden, ThisVersionIsWrittenAsItsGoldenFile) {
  test::TestFolder folder;
  const fs::path path = folder / "tuning.db";
  Database database(path, Mode::read_write);
  (void)import_json(database, golden(schema_version, ".json"));
  EXPECT_EQ(exported(database), golden(schema_version, ".json"));
  write_bytes(folder / "golden.db", golden(schema_version, ".db"));
  EXPECT_EQ(exported(Database(folder / "golden.db", Mode::read_only)), golden(schema_version, ".json"));
}

TEST(Golden, Version2KeepsAllThatItSays) {
  test::TestFolder folder;
  const fs::path path = folder / "tuning.db";
  write_bytes(path, golden(2, ".db"));
  const auto trials = Database(path, Mode::read_only).trials();
  ASSERT_EQ(trials.size(), all_trials);
  EXPECT_EQ(trials[1].stage, Stage::final);
  EXPECT_EQ(trials[1].binary, "00112233445566778899aabbccddeeff");
  EXPECT_EQ(trials[1].clock_mhz, 1980);
  EXPECT_EQ(trials[1].session, "2026-11-21T06:58:00Z \"1\"");
  EXPECT_EQ(trials[2].verdict, Verdict::wrong);
}

// A winner of version 2 is one for the side of its size class that its trial is on.
TEST(Golden, WinnersOfVersion2AreOfTheirSides) {
  test::TestFolder folder;
  const fs::path path = folder / "tuning.db";
  write_bytes(path, golden(2, ".db"));
  for (const Mode mode : {Mode::read_only, Mode::read_write}) {
    const auto winners = Database(path, mode).winners();
    ASSERT_EQ(winners.size(), all_winners);
    std::set<int> sides;
    for (const Winner& winner : winners) sides.insert(static_cast<int>(size_side(winner.trial.problem.size)));
    EXPECT_GT(sides.size(), 1u) << "the golden file has sizes that are no powers of two";
  }
}

// golden/names_of_before.db has winners whose configs have the names `gather` and `halves`, which became
// `all_aggregates` and `packed_16x2`.
TEST(Golden, ConfigsWithNamesOfBeforeAreChosenWithTodaysNames) {
  test::TestFolder folder;
  const fs::path path = folder / "tuning.db";
  write_bytes(path, bytes_of(UPSWEEP_SOURCE_DIR "/tests/tuning-db/golden/names_of_before.db"));
  for (const Mode mode : {Mode::read_only, Mode::read_write}) {
    const Database database(path, mode);
    EXPECT_THAT(database.check().problems, IsEmpty());
    const auto winners = database.winners();
    ASSERT_EQ(winners.size(), 6u);
    int all_aggregates = 0, packed = 0;
    for (const Winner& winner : winners) {
      const Trial& trial = winner.trial;
      const Choice choice = choose(trial.problem, trial.device, limits_of_architecture("sm_90"), winners);
      EXPECT_EQ(choice.rung, Rung::exact) << choice.reason;
      EXPECT_EQ(choice.config, trial.config);
      all_aggregates += choice.config.schedule == "all_aggregates" ? 1 : 0;
      packed += choice.config.values.contains("packing") && choice.config.name("packing") == "packed_16x2" ? 1 : 0;
    }
    EXPECT_EQ(all_aggregates, 2);
    EXPECT_EQ(packed, 4);
  }
}

// Rows that make no sense are skipped before and after, and stand in nobody's way.
TEST(Migration, TakesDamagedRowsAlong) {
  test::TestFolder folder;
  const fs::path path = folder / "tuning.db";
  write_bytes(path, golden(2, ".db"));
  run_sql(path, "UPDATE trial SET samples_us = 'x' WHERE id = 1; UPDATE winner SET trial = 77 WHERE trial = 5");
  for (const Mode mode : {Mode::read_only, Mode::read_write}) {
    const Database database(path, mode);
    EXPECT_EQ(database.trials().size(), all_trials - 1);
    EXPECT_EQ(database.winners().size(), all_winners - 1);
    EXPECT_FALSE(database.check().ok());
  }
}

// Killed at every write, sync and deletion that a migration makes: it is done whole or not at all.
TEST(Migration, KilledAnywhereLosesNothing) {
  test::TestFolder folder;
  const fs::path path = folder / "tuning.db";
  write_bytes(path, golden(2, ".db"));
  const auto trials = Database(path, Mode::read_only).trials();
  const auto winners = Database(path, Mode::read_only).winners();
  int kills = 0;
  for (int operation = 1;; ++operation) {
    SCOPED_TRACE("killed at operation " + std::to_string(operation));
    write_bytes(path, golden(2, ".db"));
    fs::remove(path.string() + "-journal");
    const pid_t child = start([&] {
      KillingVfs::kill_at(operation);
      const Database migrated(path, Mode::read_write);
    });
    const int status = status_of(child);
    ASSERT_TRUE(WIFEXITED(status));
    if (operation % 2 == 0) {
      const Database reader(path, Mode::read_only);
      ASSERT_EQ(reader.trials(), trials);
      ASSERT_EQ(reader.winners(), winners);
    }
    const Database database(path, Mode::read_write);
    ASSERT_EQ(database.trials(), trials);
    ASSERT_EQ(database.winners(), winners);
    ASSERT_THAT(database.check().problems, IsEmpty());
    if (WEXITSTATUS(status) == 0) break;
    ASSERT_EQ(WEXITSTATUS(status), KillingVfs::exit_code);
    ++kills;
  }
  EXPECT_GT(kills, 20) << "the killing does not work";
}

}  // namespace
}  // namespace upsweep::tuning_db
