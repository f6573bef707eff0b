#include <csignal>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include <upsweep/context.hpp>

#include "tests/cli/support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Tune : public Command {
 protected:
  static inline const std::vector<std::string> tune =
      words("tune inclusive_scan --op plus --type i32 --size 1K --device host --isolation none");
  [[nodiscard]] std::vector<tuning_db::Trial> trials() const {
    return tuning_db::Database(path("tuning.db"), tuning_db::Database::Mode::read_only).trials();
  }
  // That many problems are wanted on the host device.
  void want(const std::string& name, std::size_t problems) const {
    tuning_db::Database database(path(name), tuning_db::Database::Mode::read_write);
    std::vector<tuning_db::Wanted> wanted(problems);
    for (std::size_t i = 0; i < problems; ++i) {
      wanted[i].device = Context({.device = "host"}).device_identity();
      wanted[i].problem = make_problem(Algorithm::reduce, maximum, all_types()[i], all_types()[i], 300);
      wanted[i].rung = "built_in";
      wanted[i].count = 1;
    }
    database.want(wanted);
  }
  // A call that Ctrl-C interrupts, unless it has ended by then.
  static Called interrupted(const std::vector<std::string>& arguments, std::chrono::milliseconds after) {
    const std::jthread interrupter([after](const std::stop_token& done) {
      std::this_thread::sleep_for(after);
      if (!done.stop_requested()) std::raise(SIGINT);
    });
    return call(arguments);
  }
};

TEST_F(Tune, KeepsTrialsAndExplainFindsTheWinner) {
  const std::string database = path("own.db");
  const Called called = worked(call(with(tune, {"--max-trials", "2", "--db", database})));
  EXPECT_THAT(called.out, AllOf(HasSubstr("inclusive_scan plus i32 on host"), HasSubstr("2^10"),
                                HasSubstr("pruned  config\n"), Not(HasSubstr("{\"schedule\""))));
  EXPECT_THAT(called.err, HasSubstr("stored in " + database));

  const tuning_db::Database kept(database, tuning_db::Database::Mode::read_only);
  EXPECT_GE(kept.trials().size(), 1u);
  std::vector<std::uint64_t> sizes;
  for (const tuning_db::Winner& winner : kept.winners()) sizes.push_back(winner.trial.problem.size);
  EXPECT_THAT(sizes, testing::ElementsAre(961, 1024, 1153)) << "below, at and above 2^10";
  EXPECT_THAT(called.out, HasSubstr("found 2 winners for the sizes next to the powers of two\n"));

  const Called explained = worked(
      call(words("explain inclusive_scan --op plus --type i32 --size 1000 --device host --db", {database, "--json"})));
  EXPECT_EQ(explained.json().at("rung"), "exact");
  EXPECT_EQ(explained.json().at("trial").at("size"), 961);
}

// The table is for people, and `--config` takes what it shows; the document has the whole config.
TEST_F(Tune, ConfigsAreShownByWhatDiffersFromTheDefault) {
  const std::vector<std::string> one = with(tune, {"--max-trials", "2", "--only", "threads_per_block=96"});
  const Called called = worked(call(one));
  const std::string row = called.out.substr(called.out.find("2^10"));
  const std::string shown = row.substr(0, row.find('\n'));
  EXPECT_LT(shown.size(), 120u) << shown;
  const tuning_db::Database kept(path("tuning.db"), tuning_db::Database::Mode::read_only);
  Config winner;  // of 2^10 itself: the sizes beside it have winners of their own
  for (const tuning_db::Winner& each : kept.winners()) {
    if (each.trial.problem.size == 1024) winner = each.trial.config;
  }
  const bool is_default = winner.integer("threads_per_block") != 96;
  EXPECT_THAT(shown, HasSubstr(is_default ? "  default" : "  single_block, threads_per_block=96"));
  EXPECT_THAT(call(with(one, {"--configs", "full"})).out, HasSubstr("  " + to_json(winner) + "\n"));
  const nlohmann::json document = call(with(one, {"--json"})).json();
  EXPECT_EQ(document.at("problems")[0].at("sizes")[0].at("winner").size(), winner.values.size() + 1);
}

TEST_F(Tune, DocumentHasEverySize) {
  const nlohmann::json json = worked(call(with(tune, {"--size", "2K", "--max-trials", "1", "--json"}))).json();
  EXPECT_EQ(json.at("database"), path("tuning.db"));
  EXPECT_EQ(json.at("stopped"), false);
  ASSERT_EQ(json.at("problems").size(), 1u);
  const nlohmann::json& problem = json.at("problems")[0];
  EXPECT_EQ(problem.at("device"), "host");
  EXPECT_EQ(problem.at("problem").at("operator"), "plus");
  ASSERT_EQ(problem.at("sizes").size(), 2u);
  EXPECT_EQ(problem.at("sizes")[0].at("size"), 1024);
  EXPECT_EQ(problem.at("sizes")[1].at("size"), 2048);
  EXPECT_TRUE(problem.at("sizes")[0].at("winner").contains("schedule"));
  EXPECT_GT(problem.at("sizes")[0].at("winner_us").get<double>(), 0);
  EXPECT_GT(problem.at("measuring_seconds").get<double>(), 0);
}

TEST_F(Tune, ARangeOfSizes) {
  const Called called = worked(call(with(tune, {"--size", "16..64", "--max-trials", "1", "--json"})));
  const nlohmann::json sizes = called.json().at("problems")[0].at("sizes");
  ASSERT_EQ(sizes.size(), 4u);
  EXPECT_EQ(sizes[1].at("size"), 16);
  EXPECT_EQ(sizes[3].at("size"), 64);
}

TEST_F(Tune, TheSameCommandGoesOnWhereItEnded) {
  ASSERT_EQ(call(with(tune, {"--max-trials", "2"})).code, 0);
  const Called called = worked(call(with(tune, {"--max-trials", "3", "--json"})));
  const nlohmann::json size = called.json().at("problems")[0].at("sizes")[0];
  EXPECT_EQ(size.at("earlier"), 2);
  EXPECT_EQ(size.at("trials"), 1);
}

TEST_F(Tune, OnlyPartOfTheSpace) {
  const Called called = worked(call(with(tune, {"--max-trials", "3", "--only", "schedule=lookback", "--only",
                                                "threads_per_block=64,96", "--strategy", "random"})));
  int restricted = 0;
  for (const tuning_db::Trial& trial : trials()) {
    if (trial.config.schedule == "single_block") continue;  // the default, which all others are compared with
    const auto threads = trial.config.integer("threads_per_block");
    EXPECT_TRUE(trial.config.schedule == "lookback" && (threads == 64 || threads == 96)) << to_json(trial.config);
    ++restricted;
  }
  EXPECT_GE(restricted, 2);
}

TEST_F(Tune, RefreshMeasuresFinalistsOnly) {
  ASSERT_EQ(call(with(tune, {"--max-trials", "4", "--strategy", "random"})).code, 0);
  const auto configs = [this] {
    std::set<Config> seen;
    for (const tuning_db::Trial& trial : trials()) seen.insert(trial.config);
    return seen;
  };
  const std::set<Config> before = configs();
  const Called called = worked(call(with(tune, {"--refresh"})));
  EXPECT_EQ(configs(), before) << "nothing new is tried";
}

TEST_F(Tune, WantedTunesWhatRanUntuned) {
  const std::vector<std::string> wanted = words("tune --wanted --device host --isolation none --max-trials 1");
  EXPECT_THAT(call(wanted).err,
              HasSubstr("there are no wanted problems for this device: no problem ran without a tuned config"));
  want("tuning.db", 1);
  const nlohmann::json problems = worked(call(with(wanted, {"--json"}))).json().at("problems");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].at("problem").at("input"), "i8");
  EXPECT_EQ(problems[0].at("sizes")[0].at("size"), 300);
  EXPECT_THAT(call(wanted).err, HasSubstr("there are no wanted problems"));
}

TEST_F(Tune, AllGoesThroughTheBuiltInProblemsAndLeavesOutWhatWasTuned) {
  const std::vector<std::string> all =
      words("tune --all --size 8 --device host --isolation none --max-trials 1 --json");
  // One of them was tuned before: the others would take minutes here, so all but that one get no time.
  ASSERT_EQ(call(words("tune reduce --op plus --type i8 --size 8 --device host --isolation none --max-trials 1")).code,
            0);
  const Called called = interrupted(all, std::chrono::milliseconds(4000));
  ASSERT_EQ(called.code, 130) << called.err;
  const nlohmann::json problems = called.json().at("problems");
  ASSERT_GE(problems.size(), 1u);
  EXPECT_EQ(problems[0].at("problem").at("algorithm"), "inclusive_scan");
  EXPECT_EQ(problems[0].at("problem").at("input"), "i8");
}

TEST_F(Tune, SeveralDevices) {
  const Called called = worked(call(
      words("tune reduce --op plus --type i32 --size 64 --devices host,host --isolation none --max-trials 1 --json")));
  EXPECT_EQ(called.json().at("problems").size(), 1u) << "devices of one kind share the problems";
}

TEST_F(Tune, WhatCannotBeTunedIsAnErrorThatSaysWhy) {
  const auto refused = [this](const std::vector<std::string>& arguments, const char* why) {
    expect_error(arguments, usage, {why});
  };
  refused({"tune", "--device", "host"}, "say what to tune");
  refused(words("tune --all --wanted --device host"), "give only one of");
  refused(words("tune --wanted --size 8 --device host"), "remove --size");
  refused(words("tune inclusive_scan --device host"), "--op is missing: name the operator");
  refused(words("tune --op plus --type i32 --device host"), "ALGORITHM is missing: use one of");
  refused(words("tune reduce --op plus --device host"), "--type is missing: name the type");
  for (const char* option : {"--max-trials", "--patience", "--jobs"}) {
    for (const char* number : {"0", "-1", "many", "1.5", "2147483648"}) {
      const Called called = call(with(tune, {option, number}));
      EXPECT_EQ(called.code, 2);
      EXPECT_EQ(called.err, std::string("upsweep: ") + option + ": '" + number +
                                "' is not a whole number from 1 to 2147483647; see `upsweep tune --help`\n");
    }
  }
  refused(with(tune, {"--size", "3..8"}), "is not a range of sizes");
  for (const char* size : {"2^40", "2^60", "2^61", "2^62", "2^63"}) {
    refused(with(tune, {"--size", size}), "needs more memory than host has");
    refused(words("tune reduce --op plus --type f64 --size", {size, "--device", "host", "--isolation", "none"}),
            "needs more memory than host has");
  }
  refused(with(tune, {"--devices", "all"}), "--device and --devices were both given");
  refused(with(tune, {"--strategy", "luck"}), "luck");
  refused(with(tune, {"--only", "no_such=1"}), "no_such");
  refused(words("tune reduce --op plus --type i32 --device host --size 8 --isolation none --only schedule=lookback"),
          "reduce has no schedule 'lookback': use one of single_block, last_block, last_started");
}

// What is left of lists. Without a database nothing is tuned, and that is refused after all else.
TEST_F(Tune, CombinationsThatCannotExistAreLeftOut) {
  const auto expect = [](const std::string& lists, const std::string& problems, const std::string& left_out) {
    const Called called = call(words("tune --device host --db none " + lists));
    EXPECT_EQ(called.code, usage);
    EXPECT_THAT(called.err, AllOf(StartsWith("left out: " + left_out), HasSubstr("\ntuning " + problems + " problems "),
                                  HasSubstr("\nupsweep: tuning needs a database")));
    EXPECT_EQ(called.error_lines(), 3) << called.err;
  };
  expect("reduce --op plus,bit_and --type f32,i32 --size 1K", "3",
         "reduce bit_and f32: operator bit_and does not take f32: ");
  expect("reduce --op plus --type f32,i8,i32 --accumulate i32 --size 1K", "2",
         "reduce plus f32 in i32: f32 values cannot be accumulated in i32");
  expect("reduce,unique,inclusive_scan --op plus --type i32 --size 1K", "2",
         "unique plus i32 in u64 to i32: unique needs a predicate");
  expect("reduce --op plus --type i32 --row-length 16,2000,64 --size 1K", "2",
         "reduce plus i32, rows of 2000: 1024 items are less than a row of 2000: use a greater --size\n");
  expect("reduce --op plus --type i32 --row-length 16,64 --inner 1,40 --size 1K", "3",
         "reduce plus i32, axis of 64 by 40: 1024 items are less than an axis of 64 by 40");
  expect("reduce,select_if,inclusive_scan --op plus --type i32 --segment-length 16 --size 1K", "2",
         "select_if plus i32 in u64 by u32 to i32, segments of 16: select_if does not take segments");
  const Called one =
      call(words("tune reduce --op plus --type i32 --row-length 2000 --size 2K,1K --device host --db none"));
  EXPECT_THAT(one.err,
              AllOf(StartsWith("left out: reduce plus i32, rows of 2000: 1024 items are less than a row of 2000"),
                    HasSubstr("\nupsweep: tuning needs a database")));
}

TEST_F(Tune, ListsAreRefusedForAWrongValueOrIfNothingIsLeft) {
  const auto refused = [this](const std::string& lists, const char* why) {
    expect_error(words("tune reduce --device host --db none " + lists), usage, {why});
  };
  refused("--op bit_and,bit_or --type f32,f64 --size 1K", "operator bit_and does not take f32");
  refused("--op plus --type i32 --row-length 300,400 --size 100,200", "100 items are less than a row of 300");
  refused("--op bit_and,xyz --type f32,i32 --size 1K", "unknown operator 'xyz'");
  refused("--op bit_and --type i32,f32,f33 --size 1K", "unknown type 'f33'");
  refused("--op plus --type i32 --row-length 16,many --size 1K", "many");
  refused("--op plus --type i32 --row-length 16,2000 --inner 1,0 --size 1K", "--inner 0: ");
  refused("--op plus --type i32 --row-length 16,2000 --size 1K,0", "cannot tune for a size of 0 items");
  refused("--op plus --type i32 --row-length 16,64 --row-pitch 8,80 --size 1K", "remove --row-pitch");
  refused("--op plus --type i32 --inner 2,4 --size 1K", "--inner needs the number of items along the axis");
}

// One call with 2^28 items takes a minute at least, and a tune of it an hour.
TEST_F(Tune, SizesThatTheBudgetIsTooShortForAreLeftOut) {
  const Called called = worked(call(with(tune, {"--size", "2^28", "--budget", "20s", "--max-trials", "1", "--json"})));
  EXPECT_THAT(called.err,
              AllOf(HasSubstr("warning: inclusive_scan plus i32 with 2^28 items cannot be tuned in 20 s on host"),
                    HasSubstr("give sizes up to 2^"), HasSubstr("or a budget of at least")));
  const nlohmann::json problem = called.json().at("problems")[0];
  ASSERT_EQ(problem.at("sizes").size(), 1u);
  EXPECT_EQ(problem.at("sizes")[0].at("size"), 1024);
  ASSERT_EQ(problem.at("left_out").size(), 1u);
  EXPECT_EQ(problem.at("left_out")[0].at("size"), 1 << 28);
}

TEST_F(Tune, ASizeThatTheBudgetIsTooShortForIsRefused) {
  const Called called =
      call(words("tune inclusive_scan --op plus --type i32 --size 2^28 --device host --isolation none --budget 15s"));
  EXPECT_EQ(called.code, 2) << called.out;
  EXPECT_THAT(called.err, AllOf(HasSubstr("cannot be tuned in 15 s on host"), HasSubstr("give sizes up to 2^")));
  EXPECT_EQ(called.error_lines(), 1);
}

TEST_F(Tune, SeveralProblemsAreAnnouncedWithTheirTotal) {
  // In a new database in which three problems are wanted.
  const auto tune_wanted = [this](const std::string& name, const std::vector<std::string>& more) {
    want(name, 3);
    return call(with(words("tune --wanted --isolation none --max-trials 1 --budget 90s --db", {path(name)}), more));
  };
  const Called called = worked(tune_wanted("one.db", {"--device", "host"}));
  EXPECT_THAT(called.err, HasSubstr("tuning 3 problems with 1 min 30 s each; all of them take at most 4 min 30 s"));
  EXPECT_THAT(called.err, HasSubstr("on host: 1 size tuned, "));
  EXPECT_THAT(tune_wanted("two.db", {"--devices", "host,host"}).err,
              HasSubstr("tuning 3 problems with 1 min 30 s each; all of them take at most 3 min 0 s"))
      << "devices of one kind share them";
  const Called late = tune_wanted("late.db", {"--device", "host", "--total-budget", "1ms"});
  EXPECT_EQ(late.code, 4);
  EXPECT_THAT(late.out, HasSubstr("the time for all problems ended before this problem was started"));
}

TEST_F(Tune, CtrlCKeepsWhatWasMeasured) {
  const Called called = interrupted(with(tune, {"--budget", "1h", "--json"}), std::chrono::milliseconds(2500));
  EXPECT_EQ(called.code, 130) << called.err;
  EXPECT_EQ(called.json().at("stopped"), true);
  EXPECT_THAT(called.err, HasSubstr("stopped"));
  EXPECT_GE(trials().size(), 1u);
}

}  // namespace
}  // namespace upsweep::cli
