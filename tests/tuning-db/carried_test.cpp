// Results of definitions that this process has not made: kept, exported, imported and merged as they stand, never
// chosen, and there again for a process that has made them. Processes of their own make the definitions.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "processes.hpp"
#include "support.hpp"
#include "tests/support/defined.hpp"
#include "tuning-db/checksum.hpp"
#include "tuning-db/choose.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/sqlite.hpp"

namespace upsweep::tuning_db {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using Mode = Database::Mode;
namespace fs = std::filesystem;

constexpr std::uint64_t items = 1 << 20;

Problem own_scan() {
  return test::problem_of<test::Map>(Algorithm::inclusive_scan, items);
}

Problem built_in_reduce() {
  return make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, items);
}

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

// Does the work in a process that makes the definitions.
template <typename Work>
void where_defined(const Work& work) {
  const int status = status_of(start([&] {
    (void)own_scan();
    work();
  }));
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);
}

class CarriedTest : public testing::Test {
 protected:
  // A winner and a loser of the definitions, and a winner of built-in names, whose algorithm is the later one.
  void SetUp() override {
    where_defined([&] {
      Database database(path_, Mode::read_write);
      database.record(trial_of(own_scan(), 9.0));
      database.set_winner(database.record(trial_of(own_scan(), 8.0)));
      database.set_winner(database.record(trial_of(built_in_reduce(), 7.0)));
      database.want(std::vector{
          Wanted{.device = h200(), .problem = test::problem_of<test::Color>(Algorithm::reduce, 9), .count = 1}});
    });
  }

  // That a process with the definitions finds there what SetUp wrote.
  static void expect_all_there(const fs::path& path) {
    where_defined([&] {
      const Database database(path, Mode::read_only);
      require(database.trials().size() == 3, "the trials");
      require(database.trials({.problem = own_scan()}).size() == 2, "the trials of the definitions");
      const auto winners = database.winners({.serving = own_scan()});
      require(winners.size() == 1 && winners.front().trial.samples_us.front() == 8.0, "their winner");
      const Choice choice = choose(own_scan(), h200(), h200_limits(), winners);
      require(choice.rung == Rung::exact, "its rung");
      require(database.check().ok() && database.check().carried == 0, "the check");
    });
  }

  test::TestFolder folder_;
  fs::path path_ = folder_ / "tuning.db";
};

TEST_F(CarriedTest, AreNoDamageAndNotRead) {
  const Database database(path_, Mode::read_only);
  EXPECT_EQ(database.trials().size(), 1u);
  EXPECT_EQ(database.winners().size(), 1u);
  EXPECT_EQ(database.winners({.serving = built_in_reduce()}).size(), 1u);
  EXPECT_THAT(database.wanted(), IsEmpty());
  const CheckReport report = database.check();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.carried, 2u);
  EXPECT_EQ(report.trials, 1u);
  EXPECT_EQ(report.winners, 1u);
  // Nothing of them passes for the problem that a Trial has if nobody sets one.
  EXPECT_THAT(database.trials({.problem = Problem{}, .carried = true}), IsEmpty());
  EXPECT_THAT(database.winners({.serving = Problem{}, .carried = true}), IsEmpty());
  EXPECT_EQ(pinned_winners(path_).size(), 1u);
  expect_all_there(path_);
}

TEST_F(CarriedTest, GoAlongInAMerge) {
  {
    Database into(folder_ / "into.db", Mode::read_write);
    EXPECT_EQ(into.merge(Database(path_, Mode::read_only)),
              (MergeReport{.trials_added = 3, .trials_present = 0, .winners_set = 2, .winners_kept = 0}));
    EXPECT_EQ(into.merge(Database(path_, Mode::read_only)),
              (MergeReport{.trials_added = 0, .trials_present = 3, .winners_set = 0, .winners_kept = 2}));
    EXPECT_THAT(into.check().problems, IsEmpty());
  }
  expect_all_there(folder_ / "into.db");
}

TEST_F(CarriedTest, GoAlongInAnExport) {
  const std::string text = export_json(Database(path_, Mode::read_only), {.trials = true});
  EXPECT_EQ(json::parse(text).at("winners").size(), 2u);
  EXPECT_EQ(json::parse(text).at("trials").size(), 1u);
  EXPECT_THAT(json::parse(text).at("winners").at(1).at("problem").at("operator").get<std::string>(),
              testing::MatchesRegex("compose@[0-9a-f]{16}"));
  where_defined([&] {
    require(export_json(Database(path_, Mode::read_only), {.trials = true}) == text,
            "the export depends on the process");
  });
  {
    Database into(folder_ / "into.db", Mode::read_write);
    EXPECT_EQ(import_json(into, text).trials_added, 3u);
    EXPECT_EQ(export_json(into, {.trials = true}), text);
  }
  expect_all_there(folder_ / "into.db");
  write_bytes(folder_ / "pinned.json", text);
  EXPECT_EQ(pinned_winners(folder_ / "pinned.json").size(), 1u);
  EXPECT_EQ(read_shipped(text).size(), 1u);
}

// A filter of problems cannot tell whether it means them.
TEST_F(CarriedTest, AreNotInAFilteredExport) {
  const Database database(path_, Mode::read_only);
  const auto everything = [](const Trial&) { return true; };
  EXPECT_EQ(json::parse(export_json(database, {.keeps = everything})).at("winners").size(), 1u);
}

TEST_F(CarriedTest, TheFasterWinnerStays) {
  const std::string text = export_json(Database(path_, Mode::read_only));
  const auto with_time = [&](double time) {
    json file = json::parse(text);
    file["winners"][1]["samples_us"] = {time};
    return file.dump();
  };
  Database database(path_, Mode::read_write);
  EXPECT_EQ(import_json(database, with_time(20)).winners_set, 0u);
  EXPECT_EQ(import_json(database, with_time(2)).winners_set, 1u);
  EXPECT_EQ(database.winners({.carried = true}).at(1).trial.median_us(), 2);
}

TEST_F(CarriedTest, AreRefusedWhereAnythingElseIsWrong) {
  const std::string text = export_json(Database(path_, Mode::read_only));
  const std::pair<const char*, json> changes[] = {
      {"/winners/1/problem/operator", "compose"},
      {"/winners/1/problem/operator", "compose@0123"},
      {"/winners/1/problem/operator", "compose@0123456789abcdeF"},
      {"/winners/1/problem/operator", "com pose@0123456789abcdef"},
      {"/winners/1/problem/input", "i33"},
      {"/winners/1/problem/size", -1},
      {"/winners/1/problem/more", "i32"},
      {"/winners/1/samples_us", json::array({-1})},
      {"/winners/1/config/schedule", 5},
      {"/winners/1/config/threads_per_block", 1.5},
      {"/winners/1/device", 1},
      {"/winners/1/verdict", "wrong"},
  };
  Database database(folder_ / "into.db", Mode::read_write);
  for (const auto& [pointer, value] : changes) {
    json file = json::parse(text);
    file[json::json_pointer(pointer)] = value;
    EXPECT_THROW((void)import_json(database, file.dump()), InputError) << pointer << " = " << value;
  }
  json twice = json::parse(text);
  twice["winners"].push_back(twice["winners"][1]);
  twice["winners"][2]["samples_us"] = {1.0};
  EXPECT_THAT(message_of<InputError>([&] { (void)import_json(database, twice.dump()); }),
              HasSubstr("the file has another winner for the same device"));
  EXPECT_THAT(database.trials({.carried = true}), IsEmpty());
}

TEST_F(CarriedTest, DamageToThemIsFound) {
  run_sql(path_, "UPDATE trial SET clock_mhz = 5 WHERE id = 2");
  const CheckReport report = Database(path_, Mode::read_only).check();
  EXPECT_THAT(report.problems, testing::Contains(HasSubstr("trial 2: its checksum does not match")));
  EXPECT_EQ(report.carried, 1u);
}

// The family of their problem is not known to who merges them: who knows the definitions finds them all the same, and
// writes it.
TEST_F(CarriedTest, WhoKnowsTheDefinitionsFillsTheFamilyIn) {
  const fs::path into = folder_ / "into.db";
  { (void)Database(into, Mode::read_write).merge(Database(path_, Mode::read_only)); }
  const auto families = [&] {
    const Connection connection(into.string(), SQLITE_OPEN_READONLY, {});
    Statement row(connection, "SELECT family FROM problem WHERE key LIKE '%compose@%'");
    std::vector<std::string> found;
    while (row.step()) found.push_back(row.text(0));
    return found;
  };
  EXPECT_THAT(families(), testing::ElementsAre(""));
  where_defined([&] { Database(into, Mode::read_write).record(trial_of(own_scan(), 10.0)); });
  EXPECT_THAT(families(), testing::ElementsAre(HasSubstr("3/dense/8,8,8/inclusive_scan/compose@")));
}

TEST_F(CarriedTest, PruneLeavesThemWhereItLooksAtProblems) {
  Database database(path_, Mode::read_write);
  EXPECT_EQ(database.prune({.matches = [](const Problem&, const std::string&) { return true; }}).trials, 1u);
  EXPECT_EQ(database.check().carried, 2u);
  EXPECT_EQ(database.prune({.losers = true}).trials, 1u);
  EXPECT_EQ(database.check().carried, 1u);
}

// Rows of a version 3 that names of definitions stand in.
TEST_F(CarriedTest, SurviveTheMigration) {
  write_bytes(path_, bytes_of(fs::path(UPSWEEP_SOURCE_DIR) / "tests/tuning-db/golden/v3.db"));
  Trial trial = Database(path_, Mode::read_only).trials({.problem = scan_of(Type::f64, 1)}).at(0);
  ProblemNames names = names_of(trial.problem);
  names["operator"] = "add@6f1c0d6e2a9b4c57";
  set_problem(trial, names, trial.problem.size);
  ASSERT_TRUE(trial.is_carried());
  run_sql(path_,
          "UPDATE problem SET operator = 'add@6f1c0d6e2a9b4c57' WHERE input = 'f64'; UPDATE trial SET checksum = " +
              std::to_string(checksum_of(trial)) + " WHERE id = " + std::to_string(trial.id));
  for (const Mode mode : {Mode::read_only, Mode::read_write, Mode::read_only}) {
    const Database database(path_, mode);
    EXPECT_THAT(database.check().problems, IsEmpty());
    EXPECT_EQ(database.check().carried, 1u);
    EXPECT_EQ(database.trials({.id = trial.id, .carried = true}).at(0), trial);
    EXPECT_EQ(database.winners().size() + 1, database.winners({.carried = true}).size());
  }
}

}  // namespace
}  // namespace upsweep::tuning_db
