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

TEST_F(RefusalTest, ForeignDatabases) {
  for (const char* sql :
       {"CREATE TABLE bookmarks(url TEXT); INSERT INTO bookmarks VALUES('x')",
        "PRAGMA journal_mode = WAL; CREATE TABLE bookmarks(url TEXT)", "VACUUM; PRAGMA application_id = 5"}) {
    std::filesystem::remove(path_);
    run_sql(path_, sql);
    ASSERT_FALSE(bytes_of(path_).empty());
    EXPECT_THAT(refused(), HasSubstr("another program's SQLite database")) << sql;
  }
}

TEST_F(RefusalTest, OwnDatabasesThatWereChanged) {
  const std::string reads = ", but this upsweep reads schema versions 2 to 4: ";
  const std::pair<const char*, std::string> changes[] = {
      {"PRAGMA application_id = 0", "another program's SQLite database"},
      {"PRAGMA journal_mode = WAL", "PRAGMA journal_mode=DELETE"},
      {"PRAGMA user_version = 5", "has schema version 5" + reads + "use the newer upsweep"},
      {"PRAGMA user_version = 0", "has schema version 0" + reads + "it is damaged"},
      {"PRAGMA user_version = 1", "has schema version 1" + reads +
                                      "it is from before the first release, and its results cannot be taken over; move "
                                      "it away and tune again"},
      {"PRAGMA user_version = 3", "is damaged"},
      {"DROP TABLE winner", "is damaged"},
      {"ALTER TABLE device ADD COLUMN note TEXT", "is damaged"},
      {"ALTER TABLE device ADD COLUMN note TEXT", "(the definition of the table 'device' was changed)"},
      {"CREATE TABLE more(x)", "is damaged"},
      {"CREATE TABLE more(x)", "(the table 'more' is not part of its schema)"},
      // In a message of one line all the same (`refused` looks).
      {"CREATE TABLE \"a\nb\x1b[31m\"(x)", "the table 'a?b?[31m' is not part of its schema"},
      {"CREATE VIEW v AS SELECT * FROM trial", "is damaged"},
      {"DROP INDEX trial_by_config", "is damaged"},
      {"CREATE TRIGGER t AFTER INSERT ON trial BEGIN DELETE FROM winner; END", "is damaged"}};
  for (const auto& [sql, message] : changes) {
    std::filesystem::remove(path_);
    make_database();
    run_sql(path_, sql);
    EXPECT_THAT(refused(), HasSubstr(message)) << sql;
  }
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
