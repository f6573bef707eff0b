// db wanted, merge, prune and compact, and what explain says about results: for people and for programs.
#include <gmock/gmock.h>
#include <upsweep/source.hpp>

#include "generator/space.hpp"
#include "tests/cli/support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Upkeep : public Command {
 protected:
  // A database with a winner of reduce maximum f32 at 2^20 items, a loser and a failure.
  void make_database(const std::string& name, double microseconds, const std::string& device = "Test GPU") const {
    tuning_db::Trial trial;
    trial.device = {.name = device, .compute_major = device == "host" ? 0 : 9, .multiprocessors = 132};
    trial.environment = {.driver = "1.2", .compiler = "nvrtc 13.0", .generator = generator_version()};
    trial.problem = make_problem(Algorithm::reduce, Operator::maximum, Type::f32, Type::f32, 1 << 20);
    trial.config = Space(trial.problem, DeviceLimits{}).default_config();
    trial.samples_us = {microseconds + 5};
    tuning_db::Database database(path(name), tuning_db::Database::Mode::read_write);
    (void)database.record(trial);
    trial.samples_us = {microseconds};
    database.set_winner(database.record(trial));
    trial.samples_us.clear();
    trial.failure = "wrong result at item 7";
    trial.verdict = tuning_db::Verdict::wrong;
    (void)database.record(trial);
  }
};

TEST_F(Upkeep, WantedListsWhatRanUntuned) {
  {
    const Variable record("UPSWEEP_RECORD", "on");
    ASSERT_EQ(call(words("run reduce --op plus --type i32 --device host", {make("n.txt", "1\n2\n")})).code, 0);
  }
  EXPECT_THAT(call({"db", "wanted"}).out, AllOf(HasSubstr("\n    1  reduce plus i32 "), HasSubstr("built_in")));
  const nlohmann::json wanted = document({"db", "wanted"}).at("wanted");
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_EQ(wanted[0].at("problem").at("size"), 2);
  EXPECT_EQ(wanted[0].at("rung"), "built_in");
  EXPECT_EQ(wanted[0].at("count"), 1);
  EXPECT_EQ(document({"db", "check"}).at("wanted"), 1);
  EXPECT_THAT(call({"db", "wanted", "--clear"}).out, HasSubstr("1 wanted problem deleted"));
  EXPECT_TRUE(document({"db", "wanted"}).at("wanted").empty());
  EXPECT_EQ(document({"db", "wanted", "--clear"}).at("cleared"), 0);
  const Called none = worked(call({"db", "wanted"}));
  EXPECT_EQ(none.out, "");
  EXPECT_THAT(none.err, HasSubstr("no wanted problems in " + path("tuning.db")));
}

// Of an operator that the command does not have.
TEST_F(Upkeep, CarriesResultsOfDefinitions) {
  make_database("tuning.db", 10);
  {
    tuning_db::Database database(path("tuning.db"), tuning_db::Database::Mode::read_write);
    tuning_db::Trial trial = database.winners().at(0).trial;
    ProblemNames names = names_of(trial.problem);
    names["operator"] = "add@6f1c0d6e2a9b4c57";
    tuning_db::set_problem(trial, names, trial.problem.size);
    ASSERT_EQ(database.merge(std::vector{trial}, {}).winners_set, 1u);
  }
  const Called checked = worked(call({"db", "check"}));
  EXPECT_EQ(checked.out, "1 trial of types or operators that this program has not defined: they stay as they are\n" +
                             path("tuning.db") + ": 3 trials, 1 winner, 0 wanted problems; no errors found\n");
  EXPECT_EQ(document({"db", "check"}).at("carried"), 1);
  ASSERT_EQ(call({"db", "export", "-o", path("all.json")}).code, 0);
  EXPECT_EQ(nlohmann::json::parse(content("all.json")).at("winners").size(), 2u);
  ASSERT_EQ(call(words("db export --op maximum -o", {path("some.json")})).code, 0);
  EXPECT_EQ(nlohmann::json::parse(content("some.json")).at("winners").size(), 1u);
  EXPECT_EQ(document({"db", "import", path("all.json"), "--db", path("imported.db")}).at("winners_set"), 2);
  EXPECT_EQ(
      document({"db", "merge", path("imported.db"), "--db", path("merged.db")}).at("merged")[0].at("trials_added"), 2);
  EXPECT_EQ(document({"db", "check", "--db", path("merged.db")}).at("carried"), 1);
}

TEST_F(Upkeep, MergesSeveral) {
  make_database("a.db", 10);
  make_database("b.db", 9);
  make_database("c.db", 11);
  const nlohmann::json json = document({"db", "merge", path("b.db"), path("c.db"), "--db", path("a.db")});
  ASSERT_EQ(json.at("merged").size(), 2u);
  EXPECT_EQ(json.at("merged")[0].at("winners_set"), 1);
  EXPECT_EQ(json.at("merged")[1].at("winners_kept"), 1);
  EXPECT_THAT(call({"db", "list", "--db", path("a.db")}).out, HasSubstr("9 us"));
  EXPECT_THAT(call({"db", "merge", path("b.db"), "--db", path("a.db")}).out, HasSubstr("added 0 trials"));
  const std::string before = content("a.db");
  expect_error({"db", "merge", path("c.db"), path("none.db"), "--db", path("a.db")}, database,
               {"there is no tuning database at " + path("none.db") + ": give the path"});
  EXPECT_EQ(content("a.db"), before) << "a name that is wrong changes nothing";
  EXPECT_THAT(call({"db", "merge", "--help"}).out, HasSubstr("the one that takes less time per\nitem stays"));
}

TEST_F(Upkeep, PrunesAndCompacts) {
  make_database("tuning.db", 10);
  EXPECT_THAT(call(words("db prune --losers --failed --dry-run")).out,
              HasSubstr("this would remove 2 trials and 0 wanted problems. Nothing was changed."));
  EXPECT_EQ(document({"db", "check"}).at("trials"), 3);
  EXPECT_EQ(document(words("db prune --losers --failed")).at("trials"), 2);
  EXPECT_EQ(document({"db", "check"}).at("trials"), 1);
  EXPECT_EQ(document(words("db prune --failed --older-than 30 --device", {"Test GPU"})).at("trials"), 0);
  EXPECT_THAT(call({"db", "compact"}).out, HasSubstr(" bytes (before: "));
  EXPECT_LE(document({"db", "compact"}).at("bytes_after"), 100'000);
  EXPECT_EQ(call({"db", "prune"}).code, 2);
  const Called unknown = call(words("db prune --device none"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("no trials and no wanted problems in " + path("tuning.db") +
                                           " match --device none; there are 1: "),
                                 HasSubstr("Test GPU")));
}

TEST_F(Upkeep, PrunesOneProblem) {
  make_database("tuning.db", 10);
  const Problem wanted = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
  tuning_db::Database(path("tuning.db"), tuning_db::Database::Mode::read_write)
      .want(std::vector{tuning_db::Wanted{.device = {.name = "host"},
                                          .problem = wanted,
                                          .count = 1,
                                          .first_at = {},
                                          .last_at = {},
                                          .rung = "built_in"}});
  const auto prune = [](std::vector<std::string> filter) {
    filter.insert(filter.begin(), {"db", "prune"});
    return document(filter);
  };
  EXPECT_EQ(call(words("db prune reduce --op plus")).code, 2) << "there is none";
  const nlohmann::json only_wanted = prune({"inclusive_scan", "--device", "host", "--dry-run"});
  EXPECT_EQ(only_wanted.at("trials"), 0);
  EXPECT_EQ(only_wanted.at("wanted"), 1);
  EXPECT_EQ(prune({"reduce", "--type", "f32", "--failed", "--dry-run"}).at("trials"), 1);
  EXPECT_EQ(
      prune({"reduce", "--op", "max", "--type", "f32", "--size", "2^20", "--device", "gpu", "--dry-run"}).at("trials"),
      3);
  EXPECT_EQ(document({"db", "check"}).at("trials"), 3);
  const nlohmann::json pruned = prune({"reduce", "--op", "max", "--type", "f32", "--size", "2^20"});
  EXPECT_EQ(pruned.at("winners"), 1);
  EXPECT_EQ(pruned.at("wanted"), 0);
  EXPECT_EQ(document({"db", "check"}).at("trials"), 0);
  EXPECT_EQ(document({"db", "wanted"}).at("wanted").size(), 1u);
}

TEST_F(Upkeep, ExplainListsWhatWasConsidered) {
  const std::vector<std::string> explain = words("explain reduce --op maximum --type f32 --device host --size 2^20");
  EXPECT_THAT(call(explain).out, HasSubstr("considered    no results"));
  EXPECT_TRUE(document(explain).at("considered").empty());
  make_database("tuning.db", 10, "host");
  EXPECT_THAT(worked(call(explain)).out, AllOf(HasSubstr("rung          nearest_device: tuned on host (another host)"),
                                               HasSubstr("considered    problem"), HasSubstr("10 us"),
                                               HasSubstr("host: taken"), HasSubstr("last_started, ")));
  const nlohmann::json considered = document(explain).at("considered");
  ASSERT_EQ(considered.size(), 1u);
  EXPECT_EQ(considered[0].at("verdict"), "taken");
  EXPECT_EQ(considered[0].at("rung"), "nearest_device");
  EXPECT_EQ(considered[0].at("median_us"), 10);
  EXPECT_EQ(considered[0].at("same_environment"), false);
  EXPECT_EQ(considered[0].at("config"), document(explain).at("config"));
  const Variable pinned("UPSWEEP_PINNED_DB", path("none.db"));
  EXPECT_EQ(call(explain).code, 6);
  const Variable numbers("UPSWEEP_PINNED_DB", make("nums.txt", "1\n2\n"));
  const Called bad = call(explain);
  EXPECT_EQ(bad.code, 3);
  EXPECT_THAT(bad.err, AllOf(HasSubstr(path("nums.txt") + " (UPSWEEP_PINNED_DB or "), HasSubstr("is not valid JSON")));
}

}  // namespace
}  // namespace upsweep::cli
