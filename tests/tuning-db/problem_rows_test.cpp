// The table of problems: found by key and by family, whoever wrote the family.
#include "tuning-db/problem_rows.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "generator/problem_family.hpp"
#include "generator/problem_json.hpp"
#include "support.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Mode = Database::Mode;

Connection opened(const std::filesystem::path& path) {
  return Connection(path.string(), SQLITE_OPEN_READWRITE, {});
}

// Algorithm and family by key.
std::map<std::string, std::pair<std::string, std::string>> rows_of(const std::filesystem::path& path) {
  const Connection connection = opened(path);
  Statement row(connection, "SELECT key, algorithm, family FROM problem");
  std::map<std::string, std::pair<std::string, std::string>> rows;
  while (row.step()) rows[row.text(0)] = {row.text(1), row.text(2)};
  return rows;
}

class ProblemRowsTest : public testing::Test {
 protected:
  test::TestFolder folder_;
  std::filesystem::path path_ = folder_ / "tuning.db";
};

TEST_F(ProblemRowsTest, HoldKeyAlgorithmAndFamily) {
  const Problem problem = make_problem(Algorithm::reduce, Operator::maximum, Type::f32, Type::f32, 1 << 20);
  Database(path_, Mode::read_write).record(trial_of(problem, 8.0));
  const auto rows = rows_of(path_);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows.begin()->first, key_of(problem));
  EXPECT_EQ(rows.begin()->second.first, "reduce");
  EXPECT_EQ(rows.begin()->second.second, family_text(problem));
}

// Winners of every built-in problem at one size, in a database whose families `sql` has changed: what serves each
// problem is what nearness says.
class ServingTest : public ProblemRowsTest {
 protected:
  void SetUp() override {
    Database database(path_, Mode::read_write);
    std::vector<Trial> trials;
    for (Problem problem : problems_) {
      problem.size = 1 << 20;
      trials.push_back(trial_of(problem, 8.0));
    }
    for (const std::int64_t id : database.record(trials)) database.set_winner(id);
  }

  void expect_all_found() {
    const Database database(path_, Mode::read_only);
    for (std::size_t i = 0; i < problems_.size(); i += 7) {
      const Problem& asked = problems_[i];
      std::set<std::string> expected, found;
      for (const Problem& each : problems_) {
        if (nearness(each, asked) >= Nearness::may_serve) expected.insert(to_string(each));
      }
      for (const Winner& winner : database.winners({.serving = asked})) found.insert(to_string(winner.trial.problem));
      ASSERT_EQ(found, expected) << to_string(asked);
      ASSERT_GE(found.size(), 2u);
    }
  }

  std::vector<Problem> problems_ = built_in_problems();
};

TEST_F(ServingTest, ByTheFamiliesAsWritten) {
  expect_all_found();
  EXPECT_THAT(Database(path_, Mode::read_only).check().problems, IsEmpty());
}

TEST_F(ServingTest, WithoutFamilies) {
  run_sql(path_, "UPDATE problem SET family = ''");
  expect_all_found();
  EXPECT_THAT(Database(path_, Mode::read_only).check().problems, IsEmpty());
}

TEST_F(ServingTest, WithFamiliesOfAnotherRule) {
  for (const char* family : {"0/all/", "1/dense/1,1,1/reduce/plus/", "21/x/"}) {
    run_sql(path_, std::string("UPDATE problem SET family = '") + family + "'");
    expect_all_found();
    EXPECT_THAT(Database(path_, Mode::read_only).check().problems, IsEmpty());
  }
}

// The column leads to rows, and what they may serve is judged by their keys.
TEST_F(ServingTest, NothingOfAnotherFamily) {
  const Problem asked = scan_of(Type::i32, 1);
  run_sql(path_, "UPDATE problem SET family = '" + family_text(asked) + "'");
  const Database database(path_, Mode::read_only);
  for (const Winner& winner : database.winners({.serving = asked})) {
    EXPECT_GE(nearness(winner.trial.problem, asked), Nearness::may_serve);
  }
}

// By all rows, also of a large table: SQLite is asked for those of the family.
TEST_F(ServingTest, FamilyNarrowsWhatIsLookedAt) {
  const Problem asked = scan_of(Type::i32, 1);
  run_sql(path_, "UPDATE problem SET family = '3/dense/3,3,3/' WHERE key <> '" + key_of(asked) + "'");
  EXPECT_EQ(problems_serving(opened(path_), asked), std::to_string(find_problem(opened(path_), key_of(asked))));
}

TEST_F(ProblemRowsTest, WritingCorrectsTheFamily) {
  Database database(path_, Mode::read_write);
  const Problem problem = scan_of(Type::i32, 1 << 20);
  for (const char* family : {"", "0/x/", "3/dense/8,8,8/"}) {
    database.record(trial_of(problem, 8.0));
    run_sql(path_, std::string("UPDATE problem SET family = '") + family + "'");
    database.record(trial_of(problem, 9.0));
    const auto rows = rows_of(path_);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows.begin()->second.second, family_text(problem));
  }
}

// A migrated database has the rows that a new one gets.
TEST_F(ProblemRowsTest, OfMigratedDatabasesAreThoseOfNewOnes) {
  const std::filesystem::path golden = UPSWEEP_SOURCE_DIR "/tests/tuning-db/golden";
  Database imported(folder_ / "imported.db", Mode::read_write);
  (void)import_json(imported, bytes_of(golden / "v3.json"));
  for (const char* version : {"v2.db", "v3.db"}) {
    write_bytes(path_, bytes_of(golden / version));
    (void)Database(path_, Mode::read_write);
    EXPECT_EQ(rows_of(path_), rows_of(folder_ / "imported.db")) << version;
  }
  EXPECT_EQ(rows_of(path_).size(), 5u);
}

// A database that was written with rule 1 keeps its families until a row is written again, and is in order.
TEST_F(ProblemRowsTest, OfAnEarlierRuleStay) {
  write_bytes(path_, bytes_of(UPSWEEP_SOURCE_DIR "/tests/tuning-db/golden/v4.db"));
  const Database database(path_, Mode::read_write);
  EXPECT_THAT(database.check().problems, IsEmpty());
  const auto rows = rows_of(path_);
  EXPECT_EQ(rows.size(), 5u);
  for (const auto& [key, row] : rows) EXPECT_TRUE(row.second.starts_with("1/")) << row.second;
}

}  // namespace
}  // namespace upsweep::tuning_db
