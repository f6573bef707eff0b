// Damaged databases: rows that make no sense are skipped and listed; damaged files never bring the program down.
#include <gmock/gmock.h>

#include <upsweep/error.hpp>

#include "support.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Mode = Database::Mode;

class DamageTest : public testing::Test {
 protected:
  void SetUp() override {
    Database database(path_, Mode::read_write);
    for (const Type type : {Type::i32, Type::f32, Type::u64}) {
      for (int size = 10; size < 16; ++size) {
        Trial trial = trial_of(scan_of(type, std::uint64_t{1} << size), 8.0 + size);
        database.set_winner(database.record(trial));
        trial.failure = "did not compile";
        trial.verdict = Verdict::not_compiled;
        database.record(trial);
      }
    }
  }

  test::TestFolder folder_;
  std::filesystem::path path_ = folder_ / "tuning.db";
};

constexpr std::size_t trials_in_all = 36;
constexpr std::size_t winners_in_all = 18;

struct Damage {
  const char* sql;
  const char* listed;
};
constexpr Damage damages[] = {
    {"UPDATE trial SET samples_us = '[1, \"x\"]' WHERE id = 1", "trial 1: one of its samples is not a number"},
    {"UPDATE trial SET samples_us = '{}' WHERE id = 1", "trial 1: its samples are not a JSON array"},
    {"UPDATE trial SET samples_us = '[1' WHERE id = 1", "trial 1: its samples are not valid JSON (parse error"},
    {"UPDATE trial SET samples_us = replace(hex(zeroblob(20)), '0', '[') WHERE id = 1",
     "trial 1: its samples are not valid JSON (its brackets are nested more than 32 levels deep)"},
    {"UPDATE trial SET samples_us = '[-1]' WHERE id = 1", "trial 1: a trial's sample of -1 us is not a valid time"},
    {"UPDATE trial SET samples_us = '[]' WHERE id = 1", "trial 1: a trial needs samples"},
    {"UPDATE trial SET measured_at = 'now' WHERE id = 1", "trial 1: a trial's time 'now'"},
    {"UPDATE trial SET size_class = 3 WHERE id = 1", "trial 1: its size class does not match its size"},
    {"UPDATE trial SET failure = 'x' WHERE id = 1",
     "trial 1: a trial with the verdict measured must not have a failure"},
    {"UPDATE trial SET size = 4096, size_class = 12 WHERE id = 1", "trial 1: its checksum does not match"},
    {"INSERT INTO environment VALUES(9, CAST(x'ff41' AS TEXT), 'c', 'g'); UPDATE trial SET environment = 9 WHERE id "
     "= 1",
     "trial 1: driver is not UTF-8"},
    {"UPDATE trial SET device = 77 WHERE id = 1", "trial 1: refers to a device that does not exist"},
    {"UPDATE winner SET trial = 3 WHERE trial = 1",
     "the winner with trial 3: its size class does not match the size of its trial"},
    {"UPDATE winner SET side = 1 WHERE trial = 1",
     "the winner with trial 1: its side of the size class does not match the size of its trial"},
    {"UPDATE winner SET trial = 77 WHERE trial = 1", "winner with trial 77"},
    {"INSERT INTO config(json) VALUES('system(\"x\")'); UPDATE trial SET config = last_insert_rowid() WHERE id = 1",
     "trial 1: a config is a JSON object"},
    {"INSERT INTO config(json) VALUES('{\"schedule\":\"lookback\",\"threads_per_block\":7}'); UPDATE trial SET "
     "config "
     "= last_insert_rowid() WHERE id = 1",
     "trial 1: its checksum does not match"},
    {"UPDATE trial SET clock_mhz = 1 WHERE id = 1", "trial 1: its checksum does not match"},
    {"UPDATE trial SET verdict = 'won' WHERE id = 1", "trial 1: unknown verdict 'won'"},
    {"UPDATE trial SET stage = 'x' WHERE id = 1", "trial 1: unknown stage 'x'"},
    {"UPDATE trial SET binary = 'x' WHERE id = 1", "trial 1: a trial's binary 'x' is not a hash"},
    {"UPDATE trial SET session = CAST(x'ff41' AS TEXT) WHERE id = 1", "trial 1: session is not UTF-8"},
    {"INSERT INTO environment VALUES(9, 'd', 'c', 'g'); UPDATE winner SET environment = 9 WHERE trial = 1",
     "the winner with trial 1: its trial has another device, problem or environment"},
    {"INSERT INTO device VALUES(9, '', 9, 0, 1, 1, 1, 1); UPDATE trial SET device = 9 WHERE id = 1", "has no name"},
    {"INSERT INTO device VALUES(9, 'x', 99999999999, 0, 1, 1, 1, 1); UPDATE trial SET device = 9 WHERE id = 1",
     "compute_major of 99999999999 is too large"},
};

TEST_F(DamageTest, SkipsAndListsRowsThatDoNotParse) {
  const std::string whole = bytes_of(path_);
  for (const Damage& each : damages) {
    write_bytes(path_, whole);
    run_sql(path_, each.sql);
    const Database database(path_, Mode::read_only);
    const CheckReport report = database.check();
    EXPECT_THAT(report.problems, testing::Contains(HasSubstr(each.listed))) << each.sql;
    EXPECT_EQ(database.winners().size(), winners_in_all - 1) << each.sql;
    EXPECT_EQ(report.winners, winners_in_all - 1) << each.sql;
    EXPECT_EQ(report.trials, database.trials().size()) << each.sql;
    EXPECT_GE(report.trials, trials_in_all - 1) << each.sql;
  }
}

// A problem that makes no sense takes its trials along. Trial 1 is made one of the problem that each case adds.
TEST_F(DamageTest, SkipsAndListsTrialsOfProblemsThatAreNone) {
  const auto key = [](const std::string& algorithm, const std::string& more) {
    return R"({"accumulator":"f32","algorithm":")" + algorithm + R"(","input":"f32","operator":)" + more;
  };
  const std::pair<std::string, const char*> cases[] = {
      {"reduce plus f32", "the key 'reduce plus f32' is not valid JSON"},
      {"reduce\nplus", R"(the key 'reduce\x0aplus' is not valid JSON)"},
      {R"({"algorithm":"reduce"})", "lacks the member 'operator'"},
      {key("reduce", R"("plus","output":"f32","predicate":"x"})"), "has an unknown member 'predicate'"},
      {key("reduce", R"("plus","output":"f32","size":4})"), "has an unknown member 'size'"},
      {key("reduce", R"("plus", "output":"f32"})"), "is not written as keys are"},
      {R"({"algorithm":"reduce","accumulator":"f32","input":"f32","operator":"plus","output":"f32"})",
       "is not written as keys are"},
      {key("reduce", R"(5,"output":"f32"})"), "'operator' must be a string"},
      {key("scam", R"("plus","output":"f32"})"), "unknown algorithm 'scam'"},
      {key("reduce", R"("bit_or","output":"f32"})"), "bit_or does not take f32"},
      {key("reduce", R"("add@6f1c","output":"f32"})"), "'add@6f1c' is not defined in this process"},
  };
  const std::string whole = bytes_of(path_);
  for (const auto& [text, listed] : cases) {
    write_bytes(path_, whole);
    run_sql(path_, "INSERT INTO problem(key, algorithm, family) VALUES('" + text +
                       "', 'reduce', ''); UPDATE trial SET problem = last_insert_rowid() WHERE id = 1");
    const Database database(path_, Mode::read_only);
    EXPECT_THAT(database.check().problems, testing::Contains(AllOf(StartsWith("trial 1: "), HasSubstr(listed))))
        << text;
    EXPECT_EQ(database.winners().size(), winners_in_all - 1) << text;
    EXPECT_EQ(database.winners({.serving = scan_of(Type::f32, 1)}).size(), 11u) << text;
    EXPECT_EQ(database.check().carried, 0u) << text;
  }
}

// The key alone says what a problem is: its trials are used all the same.
TEST_F(DamageTest, ListsProblemsThatContradictThemselves) {
  const std::pair<const char*, const char*> cases[] = {
      {"UPDATE problem SET algorithm = 'reduce' WHERE id = 1",
       "problem 1: its algorithm is 'reduce', but that of its key is 'inclusive_scan'"},
      {"UPDATE problem SET family = '3/dense/8,8,8/inclusive_scan/addition/integer,integer,integer/' WHERE id = 1",
       "problem 1: its family is '3/dense/8,8,8/inclusive_scan/addition/integer,integer,integer/', but that of its key "
       "is '3/dense/4,4,4/inclusive_scan/addition/integer,integer,integer/'"},
  };
  const std::string whole = bytes_of(path_);
  for (const auto& [sql, listed] : cases) {
    write_bytes(path_, whole);
    run_sql(path_, sql);
    const Database database(path_, Mode::read_only);
    EXPECT_THAT(database.check().problems, testing::ElementsAre(listed));
    EXPECT_EQ(database.winners().size(), winners_in_all);
    EXPECT_EQ(database.trials({.problem = scan_of(Type::i32, 1)}).size(), 12u);
  }
}

// Sound rows; but the generator that wrote them had other values than this one has.
TEST_F(DamageTest, ListsWinnersOutsideTheSpace) {
  Database database(path_, Mode::read_write);
  Trial trial = trial_of(scan_of(Type::i32, 1 << 10), 8.0);
  trial.config = {"lookback", {{"threads_per_block", std::int64_t{7}}}};
  const std::int64_t id = database.record(trial);
  run_sql(path_, "UPDATE winner SET trial = " + std::to_string(id) + " WHERE trial = 1");
  EXPECT_THAT(database.check().problems,
              testing::ElementsAre(HasSubstr("winner with trial 37: its config is not valid: ")));
  EXPECT_EQ(database.trials().size(), trials_in_all + 1);
}

TEST_F(DamageTest, TellsOfDamagedPagesInOneLine) {
  const std::string whole = bytes_of(path_);
  constexpr std::size_t page = 4096, damaged = 512;
  int told = 0;
  for (std::size_t at = 2 * page; at < whole.size(); at += page) {
    std::string bytes = whole;
    bytes.replace(at + page - damaged, damaged, damaged, 'x');
    write_bytes(path_, bytes);
    for (const std::string& problem : Database(path_, Mode::read_only).check().problems) {
      EXPECT_THAT(problem, testing::Not(HasSubstr("***")));
      if (!problem.starts_with("the file is damaged")) continue;
      ++told;
      EXPECT_THAT(problem, testing::MatchesRegex(
                               "the file is damaged: SQLite finds (at least )?[0-9]+ errors? in it. Export what can "
                               "still be read \\(`upsweep db export --trials -o FILE`\\), move the file away, and "
                               "import the export"));
    }
  }
  EXPECT_GT(told, 0);
}

TEST_F(DamageTest, SoundDatabaseHasNoProblems) {
  const CheckReport report = Database(path_, Mode::read_only).check();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.trials, trials_in_all);
  EXPECT_EQ(report.winners, winners_in_all);
}

TEST_F(DamageTest, UnusableWinnerGivesWayToAnImport) {
  const std::string exported = export_json(Database(path_, Mode::read_only));
  run_sql(path_, "UPDATE trial SET samples_us = 'x' WHERE id = 1");
  Database database(path_, Mode::read_write);
  EXPECT_EQ(import_json(database, exported).winners_set, 1u);
  EXPECT_EQ(database.winners().size(), winners_in_all);
}

}  // namespace
}  // namespace upsweep::tuning_db
