// Files that are no tuning database of this version are refused, and stay as they are to the byte.
#include <gmock/gmock.h>
#include <unistd.h>

#include <upsweep/error.hpp>

#include "support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::HasSubstr;
using Mode = Database::Mode;

class RefusalTest : public testing::Test {
 protected:
  // The message, the same for both modes, after checking that neither left a trace.
  std::string refused() {
    const std::string before = bytes_of(path_);
    const auto files_before = files();
    const std::string writing = message_of<DatabaseError>([&] { Database(path_, Mode::read_write); });
    EXPECT_TRUE(bytes_of(path_) == before) << "the file was changed";
    const std::string reading = message_of<DatabaseError>([&] { Database(path_, Mode::read_only); });
    EXPECT_TRUE(bytes_of(path_) == before) << "the file was changed";
    EXPECT_EQ(files(), files_before) << "a journal or the like was left";
    EXPECT_EQ(writing, reading);
    EXPECT_THAT(writing, HasSubstr(path_.string()));
    EXPECT_EQ(writing.find('\n'), std::string::npos) << "more than a line: " << writing;
    return writing;
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) names.push_back(entry.path());
    std::sort(names.begin(), names.end());
    return names;
  }

  void make_database() {
    Database database(path_, Mode::read_write);
    database.set_winner(database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0)));
  }

  test::TestFolder folder_;
  std::filesystem::path path_ = folder_ / "tuning.db";
};

TEST_F(RefusalTest, Text) {
  for (const std::string& text : {std::string("a"), std::string("hello\n"), std::string(5000, 'x'),
                                  std::string("SQLite format 3"), std::string(100, '\0')}) {
    write_bytes(path_, text);
    EXPECT_THAT(refused(), HasSubstr("not an SQLite file, not an upsweep tuning database, and was not changed"));
  }
}

TEST_F(RefusalTest, ForeignDatabase) {
  run_sql(path_, "CREATE TABLE bookmarks(url TEXT); INSERT INTO bookmarks VALUES('x')");
  EXPECT_THAT(refused(), HasSubstr("another program's SQLite database"));
}

TEST_F(RefusalTest, ForeignDatabaseInWalMode) {
  run_sql(path_, "PRAGMA journal_mode = WAL; CREATE TABLE bookmarks(url TEXT)");
  EXPECT_THAT(refused(), HasSubstr("another program's SQLite database"));
}

TEST_F(RefusalTest, ForeignDatabaseWithoutTables) {
  run_sql(path_, "VACUUM");
  run_sql(path_, "PRAGMA application_id = 5");
  ASSERT_FALSE(bytes_of(path_).empty());
  EXPECT_THAT(refused(), HasSubstr("another program's SQLite database"));
}

TEST_F(RefusalTest, TheSameTablesUnderAnotherMark) {
  make_database();
  run_sql(path_, "PRAGMA application_id = 0");
  EXPECT_THAT(refused(), HasSubstr("another program's SQLite database"));
}

TEST_F(RefusalTest, OwnDatabaseInWalMode) {
  make_database();
  run_sql(path_, "PRAGMA journal_mode = WAL");
  EXPECT_THAT(refused(), HasSubstr("PRAGMA journal_mode=DELETE"));
}

TEST_F(RefusalTest, NewerVersion) {
  make_database();
  run_sql(path_, "PRAGMA user_version = 5");
  EXPECT_THAT(refused(),
              HasSubstr("has schema version 5, but this upsweep reads schema versions 2 to 4: use the newer upsweep"));
}

TEST_F(RefusalTest, VersionThatNeverWas) {
  make_database();
  run_sql(path_, "PRAGMA user_version = 0");
  EXPECT_THAT(refused(),
              HasSubstr("has schema version 0, but this upsweep reads schema versions 2 to 4: it is damaged"));
}

TEST_F(RefusalTest, VersionBeforeTheFirstRelease) {
  make_database();
  run_sql(path_, "PRAGMA user_version = 1");
  EXPECT_THAT(refused(), HasSubstr("has schema version 1, but this upsweep reads schema versions 2 to 4: it is from "
                                   "before the first release, and its results cannot be taken over; move it away and "
                                   "tune again"));
}

TEST_F(RefusalTest, TablesOfAnotherVersion) {
  make_database();
  run_sql(path_, "PRAGMA user_version = 3");
  EXPECT_THAT(refused(), HasSubstr("is damaged"));
}

TEST_F(RefusalTest, AlteredSchema) {
  const char* changes[] = {
      "DROP TABLE winner",          "ALTER TABLE device ADD COLUMN note TEXT",
      "CREATE TABLE more(x)",       "CREATE VIEW v AS SELECT * FROM trial",
      "DROP INDEX trial_by_config", "CREATE TRIGGER t AFTER INSERT ON trial BEGIN DELETE FROM winner; END"};
  for (const char* change : changes) {
    std::filesystem::remove(path_);
    make_database();
    run_sql(path_, change);
    EXPECT_THAT(refused(), HasSubstr("is damaged")) << change;
  }
}

TEST_F(RefusalTest, AlteredSchemaNamesWhatIsUnknownAndWhatWasChanged) {
  make_database();
  run_sql(path_, "CREATE TABLE more(x)");
  EXPECT_THAT(refused(), HasSubstr("(the table 'more' is not part of its schema)"));
  std::filesystem::remove(path_);
  make_database();
  run_sql(path_, "ALTER TABLE device ADD COLUMN note TEXT");
  EXPECT_THAT(refused(), HasSubstr("(the definition of the table 'device' was changed)"));
}

// Names that a damaged file holds stand in the message, which is one line all the same (`refused` looks).
TEST_F(RefusalTest, AlteredSchemaWithControlCharacters) {
  make_database();
  run_sql(path_, "CREATE TABLE \"a\nb\x1b[31m\"(x)");
  EXPECT_THAT(refused(), HasSubstr("the table 'a?b?[31m' is not part of its schema"));
}

TEST_F(RefusalTest, StatisticsOfSqliteAreNoDamage) {
  make_database();
  run_sql(path_, "ANALYZE");
  EXPECT_EQ(Database(path_, Mode::read_only).winners().size(), 1u);
}

TEST_F(RefusalTest, Truncated) {
  make_database();
  const std::string whole = bytes_of(path_);
  for (const std::size_t size : {std::size_t{1}, std::size_t{99}, std::size_t{100}, std::size_t{512}, std::size_t{4096},
                                 whole.size() / 2, whole.size() - 1}) {
    write_bytes(path_, whole.substr(0, size));
    EXPECT_FALSE(refused().empty()) << size;
  }
}

TEST_F(RefusalTest, Folder) {
  std::filesystem::create_directory(path_);
  for (const Mode mode : {Mode::read_only, Mode::read_write}) {
    EXPECT_THAT(message_of<DatabaseError>([&] { Database(path_, mode); }), HasSubstr("is a folder"));
  }
}

TEST_F(RefusalTest, NoRegularFile) {
  for (const Mode mode : {Mode::read_only, Mode::read_write}) {
    EXPECT_THAT(message_of<DatabaseError>([&] { Database("/dev/null", mode); }), HasSubstr("not a regular file"));
  }
}

TEST_F(RefusalTest, MissingForReading) {
  EXPECT_THAT(message_of<DatabaseError>([&] { Database(path_, Mode::read_only); }),
              HasSubstr("`upsweep tune` creates"));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(RefusalTest, EmptyFileForReadingHoldsNothing) {
  write_bytes(path_, "");
  Database database(path_, Mode::read_only);
  EXPECT_TRUE(database.trials().empty());
  EXPECT_TRUE(database.winners().empty());
  EXPECT_TRUE(database.check().ok());
  EXPECT_THAT(message_of<DatabaseError>([&] { database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0)); }),
              HasSubstr("check the permissions"));
  EXPECT_EQ(std::filesystem::file_size(path_), 0u);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(RefusalTest, PathThatCannotBe) {
  write_bytes(path_, "a file");
  EXPECT_THAT(message_of<DatabaseError>([&] { Database(path_ / "below.db", Mode::read_write); }),
              HasSubstr("set UPSWEEP_DB"));
  EXPECT_THAT(message_of<DatabaseError>([&] { Database("/proc/none/tuning.db", Mode::read_write); }),
              HasSubstr("cannot be made"));
  EXPECT_THAT(message_of<DatabaseError>([&] { Database("", Mode::read_write); }),
              HasSubstr("the tuning database is 'none'"));
  EXPECT_THAT(message_of<DatabaseError>([&] { Database(std::string(5000, 'x'), Mode::read_write); }),
              HasSubstr("UPSWEEP_DB"));
}

TEST_F(RefusalTest, NoPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind the superuser";
  make_database();
  namespace fs = std::filesystem;
  fs::permissions(path_, fs::perms::owner_read);
  EXPECT_THAT(message_of<DatabaseError>([&] { Database(path_, Mode::read_write); }),
              HasSubstr("check the permissions"));
  EXPECT_EQ(Database(path_, Mode::read_only).trials().size(), 1u);
  fs::permissions(path_, fs::perms::none);
  EXPECT_THAT(message_of<DatabaseError>([&] { Database(path_, Mode::read_only); }), HasSubstr("check the permissions"));
}

TEST_F(RefusalTest, NamesThatMeanSomethingToSqlite) {
  const auto back = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  for (const char* name : {":memory:", "file:x.db?mode=memory"}) {
    Database(name, Mode::read_write).record(trial_of(scan_of(Type::i32, 1 << 20), 8.0));
    EXPECT_EQ(Database(folder_ / name, Mode::read_only).trials().size(), 1u) << name;
  }
  std::filesystem::current_path(back);
}

}  // namespace
}  // namespace upsweep::tuning_db
