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

class Tune : public Command {
 protected:
  static inline const std::vector<std::string> tune{
      "tune", "inclusive_scan", "--op", "plus",        "--type", "i32", "--size",
      "1K",   "--device",       "host", "--isolation", "none"};
  static std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(Tune, KeepsTrialsAndExplainFindsTheWinner) {
  const std::string database = path("own.db");
  const Called called = call(with(tune, {"--max-trials", "2", "--db", database}));
  ASSERT_EQ(called.code, 0) << called.err;
  EXPECT_THAT(called.out,
              AllOf(HasSubstr("inclusive_scan plus i32 on host"), HasSubstr("2^10"), HasSubstr("schedule")));
  EXPECT_THAT(called.err, HasSubstr("kept in " + database));

  const tuning_db::Database kept(database, tuning_db::Database::Mode::read_only);
  EXPECT_GE(kept.trials().size(), 1u);
  ASSERT_EQ(kept.winners().size(), 1u);
  EXPECT_EQ(kept.winners().front().trial.problem.size, 1024u);

  const Called explained = call({"explain", "inclusive_scan", "--op", "plus", "--type", "i32", "--size", "1000",
                                 "--device", "host", "--db", database, "--json"});
  ASSERT_EQ(explained.code, 0) << explained.err;
  EXPECT_EQ(explained.json().at("rung"), "exact");
  EXPECT_EQ(explained.json().at("trial").at("size"), 1024);
}

TEST_F(Tune, DocumentHasEverySize) {
  const Called called = call(with(tune, {"--size", "2K", "--max-trials", "1", "--json"}));
  ASSERT_EQ(called.code, 0) << called.err;
  const nlohmann::json json = called.json();
  EXPECT_EQ(json.at("database"), path("tuning.db"));
  EXPECT_EQ(json.at("stopped"), false);
  ASSERT_EQ(json.at("problems").size(), 1u);
  const nlohmann::json& problem = json.at("problems")[0];
  EXPECT_EQ(problem.at("device"), "host");
  EXPECT_EQ(problem.at("problem").at("op"), "plus");
  ASSERT_EQ(problem.at("sizes").size(), 2u);
  EXPECT_EQ(problem.at("sizes")[0].at("size"), 1024);
  EXPECT_EQ(problem.at("sizes")[1].at("size"), 2048);
  EXPECT_TRUE(problem.at("sizes")[0].at("winner").contains("schedule"));
  EXPECT_GT(problem.at("sizes")[0].at("winner_us").get<double>(), 0);
  EXPECT_GT(problem.at("measuring_seconds").get<double>(), 0);
}

TEST_F(Tune, ARangeOfSizes) {
  const Called called = call(with(tune, {"--size", "16..64", "--max-trials", "1", "--json"}));
  ASSERT_EQ(called.code, 0) << called.err;
  const nlohmann::json sizes = called.json().at("problems")[0].at("sizes");
  ASSERT_EQ(sizes.size(), 4u);
  EXPECT_EQ(sizes[1].at("size"), 16);
  EXPECT_EQ(sizes[3].at("size"), 64);
}

TEST_F(Tune, TheSameCommandGoesOnWhereItEnded) {
  ASSERT_EQ(call(with(tune, {"--max-trials", "2"})).code, 0);
  const Called called = call(with(tune, {"--max-trials", "3", "--json"}));
  ASSERT_EQ(called.code, 0) << called.err;
  const nlohmann::json size = called.json().at("problems")[0].at("sizes")[0];
  EXPECT_EQ(size.at("earlier"), 2);
  EXPECT_EQ(size.at("trials"), 1);
}

TEST_F(Tune, OnlyPartOfTheSpace) {
  const Called called = call(with(tune, {"--max-trials", "3", "--only", "schedule=lookback", "--only",
                                         "threads_per_block=64,96", "--strategy", "random"}));
  ASSERT_EQ(called.code, 0) << called.err;
  const tuning_db::Database kept(path("tuning.db"), tuning_db::Database::Mode::read_only);
  int restricted = 0;
  for (const tuning_db::Trial& trial : kept.trials()) {
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
    const tuning_db::Database kept(path("tuning.db"), tuning_db::Database::Mode::read_only);
    for (const tuning_db::Trial& trial : kept.trials()) seen.insert(trial.config);
    return seen;
  };
  const std::set<Config> before = configs();
  const Called called = call(with(tune, {"--refresh"}));
  ASSERT_EQ(called.code, 0) << called.err;
  EXPECT_EQ(configs(), before) << "nothing new is tried";
}

TEST_F(Tune, WantedTunesWhatRanUntuned) {
  const std::vector<std::string> wanted{"tune",        "--wanted", "--device",     "host",
                                        "--isolation", "none",     "--max-trials", "1"};
  EXPECT_THAT(call(wanted).err, HasSubstr("nothing that ran untuned is known for this device"));
  {
    tuning_db::Database database(path("tuning.db"), tuning_db::Database::Mode::read_write);
    const Context host({.device = "host"});
    tuning_db::Wanted asked;
    asked.device = host.device_identity();
    asked.problem = make_problem(Algorithm::reduce, maximum, Type::i16, Type::i16, 300);
    asked.rung = "built_in";
    asked.count = 1;
    database.want(std::span(&asked, 1));
  }
  const Called called = call(with(wanted, {"--json"}));
  ASSERT_EQ(called.code, 0) << called.err;
  const nlohmann::json problems = called.json().at("problems");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].at("problem").at("type"), "i16");
  EXPECT_EQ(problems[0].at("sizes")[0].at("size"), 300);
  EXPECT_THAT(call(wanted).err, HasSubstr("nothing that ran untuned is known"));
}

TEST_F(Tune, AllGoesThroughTheBuiltInProblemsAndLeavesOutWhatWasTuned) {
  const std::vector<std::string> all{"tune",        "--all", "--size",       "8", "--device", "host",
                                     "--isolation", "none",  "--max-trials", "1", "--json"};
  // One of them was tuned before: the others would take minutes here, so all but that one get no time.
  ASSERT_EQ(call({"tune", "reduce", "--op", "plus", "--type", "i8", "--size", "8", "--device", "host", "--isolation",
                  "none", "--max-trials", "1"})
                .code,
            0);
  std::jthread interrupter([](const std::stop_token& done) {
    std::this_thread::sleep_for(std::chrono::milliseconds(4000));
    if (!done.stop_requested()) std::raise(SIGINT);
  });
  const Called called = call(all);
  interrupter.request_stop();
  ASSERT_EQ(called.code, 130) << called.err;
  const nlohmann::json problems = called.json().at("problems");
  ASSERT_GE(problems.size(), 1u);
  EXPECT_EQ(problems[0].at("problem").at("algorithm"), "inclusive_scan");
  EXPECT_EQ(problems[0].at("problem").at("type"), "i8");
}

TEST_F(Tune, SeveralDevices) {
  const Called called = call({"tune", "reduce", "--op", "plus", "--type", "i32", "--size", "64", "--devices",
                              "host,host", "--isolation", "none", "--max-trials", "1", "--json"});
  ASSERT_EQ(called.code, 0) << called.err;
  EXPECT_EQ(called.json().at("problems").size(), 1u) << "devices of one kind share the problems";
}

TEST_F(Tune, WhatCannotBeTunedIsAnErrorThatSaysWhy) {
  const auto refused = [this](const std::vector<std::string>& arguments, const char* why) {
    const Called called = call(arguments);
    EXPECT_EQ(called.code, 2) << why;
    EXPECT_THAT(called.err, HasSubstr(why));
  };
  refused({"tune", "--device", "host"}, "nothing to tune was named");
  refused({"tune", "--all", "--wanted", "--device", "host"}, "exclude each other");
  refused({"tune", "--wanted", "--size", "8", "--device", "host"}, "leave --size out");
  refused({"tune", "reduce", "--device", "host"}, "unknown operator");
  refused(with(tune, {"--size", "3..8"}), "is no range of sizes");
  refused(with(tune, {"--devices", "all"}), "--device and --devices were both given");
  refused(with(tune, {"--strategy", "luck"}), "luck");
  refused(with(tune, {"--only", "no_such=1"}), "no_such");
}

TEST_F(Tune, CtrlCKeepsWhatWasMeasured) {
  std::jthread interrupter([](const std::stop_token& done) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    if (!done.stop_requested()) std::raise(SIGINT);
  });
  const Called called = call(with(tune, {"--budget", "1h", "--json"}));
  interrupter.request_stop();
  EXPECT_EQ(called.code, 130) << called.err;
  EXPECT_EQ(called.json().at("stopped"), true);
  EXPECT_THAT(called.err, HasSubstr("stopped"));
  const tuning_db::Database kept(path("tuning.db"), tuning_db::Database::Mode::read_only);
  EXPECT_GE(kept.trials().size(), 1u);
}

}  // namespace
}  // namespace upsweep::cli
