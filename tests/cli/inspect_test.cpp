// devices, doctor, cache, db and explain: what they print for people and for programs.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <upsweep/source.hpp>

#include "generator/space.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/two_steps.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Inspect : public Command {
 protected:
  // A trial of reduce maximum f32 at 2^20 items on a made-up device.
  static tuning_db::Trial trial(double microseconds) {
    tuning_db::Trial made;
    made.device = {.name = "Test GPU", .compute_major = 9, .compute_minor = 0, .multiprocessors = 132};
    made.environment = {.driver = "1.2", .compiler = "nvrtc 13.0", .generator = generator_version()};
    made.problem = make_problem(Algorithm::reduce, Operator::maximum, Type::f32, Type::f32, 1 << 20);
    made.config = Space(made.problem, DeviceLimits{}).default_config();
    made.samples_us = {microseconds, microseconds + 1, microseconds - 1};
    return made;
  }

  // A database with a winner (trial 1) and a failed trial (2).
  [[nodiscard]] std::string make_database(const std::string& name, double microseconds) const {
    tuning_db::Database database(path(name), tuning_db::Database::Mode::read_write);
    database.set_winner(database.record(trial(microseconds)));
    tuning_db::Trial failed = trial(1);
    failed.samples_us.clear();
    failed.failure = "wrong result at item 7";
    failed.verdict = tuning_db::Verdict::wrong;
    (void)database.record(failed);
    return path(name);
  }

  static inline const std::vector<std::string> explain{"explain", "reduce",   "--op", "maximum", "--type",
                                                       "f32",     "--device", "host", "--size",  "2^12"};
};

// ---- devices and doctor

TEST_F(Inspect, DoctorKnowsThatThereIsToBeNoDatabase) {
  const Variable none("UPSWEEP_DB", "none");
  EXPECT_THAT(call({"doctor"}).out, HasSubstr("only shipped results are used"));
}

TEST_F(Inspect, DevicesHaveTheHostDevice) {
  EXPECT_THAT(call({"devices"}).out, HasSubstr("host "));
  const nlohmann::json json = document({"devices"});
  ASSERT_FALSE(json.at("devices").empty());
  EXPECT_EQ(json.at("devices").back().at("device"), "host");
}

TEST_F(Inspect, DoctorSaysWhatIsMissingAndWhatToDo) {
  const Called called = call({"doctor"});
  EXPECT_EQ(called.code, 0) << called.err;
  EXPECT_THAT(called.out, AllOf(HasSubstr("MISSING  cuda:0"), HasSubstr("/nonexistent/libcuda.so.1"),
                                HasSubstr("found    C++ compiler"), HasSubstr("found    cache"),
                                HasSubstr("tuning.db: does not exist yet")));
  const nlohmann::json json = document({"doctor"});
  EXPECT_EQ(json.at("gpu"), false);
  EXPECT_EQ(json.at("host"), true);
  EXPECT_THAT(json.at("verdict").get<std::string>(), HasSubstr("host device only"));
  for (const nlohmann::json& finding : json.at("findings")) {
    EXPECT_FALSE(finding.at("what").get<std::string>().empty());
    EXPECT_FALSE(finding.at("text").get<std::string>().empty()) << finding;
    EXPECT_TRUE(finding.at("ok").is_boolean());
  }
}

TEST_F(Inspect, DoctorFailsWhereNothingCanRun) {
  const Variable cxx("UPSWEEP_CXX", "/nonexistent/g++");
  const Called called = call({"doctor"});
  EXPECT_EQ(called.code, 4);
  EXPECT_THAT(called.out, AllOf(HasSubstr("MISSING  C++ compiler"), HasSubstr("kernels cannot run")));
  EXPECT_EQ(document({"doctor"}, 4).at("host"), false);
}

// A compiler that is there, and refuses the arguments that it is called with.
TEST_F(Inspect, DoctorCompilesAKernel) {
  const Variable cxx("UPSWEEP_CXX", "g++ --no-such-option");
  const Called called = call({"doctor"});
  EXPECT_EQ(called.code, 4);
  EXPECT_THAT(called.out, AllOf(HasSubstr("MISSING  C++ compiler"), HasSubstr("--no-such-option"),
                                HasSubstr("check UPSWEEP_CXX"), HasSubstr("kernels cannot run")));
}

TEST_F(Inspect, DoctorNamesThePinnedDatabase) {
  (void)make_database("pinned.db", 10);
  {
    const Variable pinned("UPSWEEP_PINNED_DB", path("pinned.db"));
    EXPECT_THAT(
        call({"doctor"}).out,
        HasSubstr(path("pinned.db") + ": UPSWEEP_PINNED_DB names it, and only its results are used (1 winner)"));
    const std::string told =
        call({"explain", "reduce", "--op", "plus", "--type", "f32", "--size", "2^12", "--device", "host"}).out;
    EXPECT_THAT(told,
                HasSubstr("to tune it    remove UPSWEEP_PINNED_DB first: only the results in " + path("pinned.db")));
  }
  const Variable missing("UPSWEEP_PINNED_DB", path("none.db"));
  EXPECT_THAT(call({"doctor"}).out, HasSubstr("MISSING  tuning database"));
}

TEST_F(Inspect, DoctorLooksAtCacheAndDatabase) {
  const Variable cache("XDG_CACHE_HOME", make("file", "no folder") + "/cache");
  (void)make("tuning.db", std::string(200, 'x'));
  const Called called = call({"doctor"});
  EXPECT_EQ(called.code, 0) << "neither stops kernels from running";
  EXPECT_THAT(called.out, AllOf(HasSubstr("MISSING  cache"), HasSubstr("MISSING  tuning database")));
}

// In a process of its own: what was loaded once stays.
TEST_F(Inspect, DoctorNamesThePathsThatVariablesGive) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Variable nvrtc("UPSWEEP_NVRTC", "/nonexistent");
  const Variable driver("UPSWEEP_LIBCUDA", "/nowhere");
  EXPECT_EXIT(
      {
        const Called called = call({"doctor"});
        std::cerr << called.out;
        remove_folder();
        std::exit(called.out.find("looked for") == std::string::npos ? called.code : -1);
      },
      ::testing::ExitedWithCode(0),
      "cannot be loaded from '/nowhere', the value of UPSWEEP_LIBCUDA: set UPSWEEP_LIBCUDA .*\n"
      "MISSING  NVRTC  .*cannot be loaded from '/nonexistent', the value of UPSWEEP_NVRTC: set UPSWEEP_NVRTC");
}

// ---- explain

TEST_F(Inspect, ExplainNeedsNoCompiler) {
  const Variable cxx("UPSWEEP_CXX", "/nonexistent/g++");
  const Called called = call(explain);
  EXPECT_EQ(called.code, 0) << called.err;
  EXPECT_THAT(called.out, AllOf(HasSubstr("problem       reduce maximum f32, 4096 items"), HasSubstr("rung          "),
                                HasSubstr("config        default (single_block)\n"), HasSubstr("reproducible  "),
                                HasSubstr("to tune it    upsweep tune reduce --op maximum --type f32")));
  const nlohmann::json json = document(explain);
  EXPECT_EQ(json.at("rung"), "built_in");
  EXPECT_EQ(json.at("problem").at("size"), 4096);
  EXPECT_EQ(json.at("device").at("device"), "host");
  ASSERT_EQ(json.at("steps").size(), 1u);
  EXPECT_GE(json.at("steps")[0].at("blocks").get<int>(), 1);
  for (const char* key : {"reason", "config", "workspace_bytes", "reproducible", "tune_command"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
}

TEST_F(Inspect, ExplainShowsEachOfSeveralSteps) {
  const test::TwoStepsForBuiltInScans known;
  const Variable force("UPSWEEP_FORCE_CONFIG", "reduce_then_scan");
  const std::vector<std::string> arguments{"explain", "exclusive_scan", "--op", "plus",     "--type",
                                           "i32",     "--size",         "1000", "--device", "host"};
  EXPECT_THAT(call(arguments).out, AllOf(HasSubstr("step          1 of 2\nkernel        "),
                                         HasSubstr("step          2 of 2\nkernel        "),
                                         HasSubstr("launch        16 blocks of 32 threads, tiles of 64 items\n"),
                                         HasSubstr("workspace     256 bytes\n")));
  const nlohmann::json json = document(arguments);
  ASSERT_EQ(json.at("steps").size(), 2u);
  EXPECT_EQ(json.at("steps")[1].at("blocks"), 16);
  EXPECT_EQ(json.at("workspace_bytes"), 256);
}

// A slot a tile, however few blocks there are.
TEST_F(Inspect, ExplainCountsTheWorkspaceByTiles) {
  const nlohmann::json json =
      document({"explain", "inclusive_scan", "--op", "plus", "--type", "i32", "--size", "2^24", "--device", "host"});
  EXPECT_EQ(json.at("config").at("schedule"), "lookahead");
  EXPECT_GT(json.at("workspace_bytes").get<std::uint64_t>(), 8u * ((1u << 24) / 7680));
}

TEST_F(Inspect, ExplainCompilesIfAsked) {
  std::vector<std::string> arguments = explain;
  arguments.emplace_back("--compile");
  EXPECT_THAT(call(arguments).out, AllOf(HasSubstr("resources     not known on the host device"),
                                         HasSubstr("considered    "), Not(HasSubstr("0 registers"))));
  EXPECT_THAT(document(arguments).at("resources").get<std::string>(), HasSubstr("not known on the host device"));
  EXPECT_FALSE(document(explain).contains("resources"));
}

// ---- cache

TEST_F(Inspect, CacheIsListedAndCleared) {
  const Variable cache("XDG_CACHE_HOME", path("cache"));
  EXPECT_TRUE(document({"cache", "list"}).at("entries").empty());
  ASSERT_EQ(call({"run", "reduce", "--op", "plus", "--type", "i32", "--device", "host", make("n.txt", "1\n2\n")}).code,
            0);
  const nlohmann::json json = document({"cache", "list"});
  ASSERT_EQ(json.at("entries").size(), 1u);
  EXPECT_GT(json.at("bytes").get<std::uint64_t>(), 1000u);
  EXPECT_THAT(json.at("directory").get<std::string>(), HasSubstr(path("cache")));
  EXPECT_THAT(call({"cache", "list"}).out, HasSubstr("1 kernel, "));
  EXPECT_EQ(document({"cache", "clear"}).at("removed"), 1);
  EXPECT_TRUE(document({"cache", "list"}).at("entries").empty());
}

// ---- db

TEST_F(Inspect, DbListsWinnersTrialsAndWhatIsShipped) {
  (void)make_database("tuning.db", 10);
  EXPECT_THAT(call({"db", "list"}).out, AllOf(HasSubstr("reduce maximum f32"), HasSubstr("2^20"), HasSubstr("10 us"),
                                              HasSubstr("Test GPU"), Not(HasSubstr("wrong"))));
  EXPECT_THAT(call({"db", "list", "--trials"}).out,
              AllOf(HasSubstr("  wrong  "), HasSubstr("  stage  "), HasSubstr("  probe  ")));
  const nlohmann::json winners = document({"db", "list"}).at("winners");
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(winners[0].at("id"), 1);
  EXPECT_EQ(winners[0].at("origin"), "user");
  EXPECT_EQ(document({"db", "list", "--trials"}).at("trials").size(), 2u);
  EXPECT_TRUE(document({"db", "list", "--shipped"}).at("winners").is_array());
}

TEST_F(Inspect, DbListShowsConfigsByWhatDiffers) {
  (void)make_database("tuning.db", 10);
  const std::string config = trial(1).config.schedule;
  EXPECT_THAT(call({"db", "list"}).out, HasSubstr("  Test GPU  " + config + ", prefetch=none"));
  EXPECT_THAT(call({"db", "show", "1"}).out, HasSubstr("config       " + config + ", prefetch=none"));
  for (const char* verb : {"list", "show"}) {
    std::vector<std::string> arguments{"db", verb, "--configs", "full"};
    if (verb == std::string("show")) arguments.emplace_back("1");
    EXPECT_THAT(call(arguments).out, HasSubstr("  " + to_json(trial(1).config) + "\n")) << verb;
  }
  EXPECT_EQ(document({"db", "list"}).at("winners")[0].at("config").size(), trial(1).config.values.size() + 1);
}

class Filters : public Inspect {
 protected:
  // Four winners: two problems at two sizes, the sums on another device.
  Filters() {
    tuning_db::Database database(path("tuning.db"), tuning_db::Database::Mode::read_write);
    for (const std::uint64_t size : {std::uint64_t{1} << 12, std::uint64_t{1} << 20}) {
      for (const bool sum : {false, true}) {
        tuning_db::Trial made = trial(10);
        made.problem = sum ? make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i64, size)
                           : make_problem(Algorithm::reduce, Operator::maximum, Type::f32, Type::f32, size);
        made.config = Space(made.problem, limits_of_architecture("sm_90")).default_config();
        if (sum) made.device.name = "Other GPU";
        database.set_winner(database.record(made));
      }
    }
  }
  static std::size_t count(std::vector<std::string> filter, const char* key = "winners") {
    filter.insert(filter.begin(), {"db", "list"});
    return document(filter).at(key).size();
  }
};

TEST_F(Filters, EachRestrictsTheListAndAllTogether) {
  EXPECT_EQ(count({}), 4u);
  EXPECT_EQ(count({"reduce"}), 2u);
  EXPECT_EQ(count({"reduce,inclusive_scan"}), 4u);
  EXPECT_EQ(count({"exclusive_scan"}), 0u);
  EXPECT_EQ(count({"--op", "plus"}), 2u);
  EXPECT_EQ(count({"--op", "maximum,minimum"}), 2u);
  EXPECT_EQ(count({"--type", "i32"}), 2u);
  EXPECT_EQ(count({"--type", "i64"}), 0u) << "the type of the items, not of the accumulator";
  EXPECT_EQ(count({"--size", "1M"}), 2u);
  EXPECT_EQ(count({"--size", "1000000"}), 2u) << "its size class";
  EXPECT_EQ(count({"--size", "2^10..2^14"}), 2u);
  EXPECT_EQ(count({"--size", "2^12,2^20"}), 4u);
  EXPECT_EQ(count({"--size", "2^16"}), 0u);
  EXPECT_EQ(count({"--device", "other"}), 2u) << "a part of the name, in any case";
  EXPECT_EQ(count({"--device", "GPU"}), 4u);
  EXPECT_EQ(count({"inclusive_scan", "--device", "other", "--size", "2^12", "--type", "i32", "--op", "plus"}), 1u);
  EXPECT_EQ(count({"reduce", "--device", "other"}), 0u);
  EXPECT_EQ(count({"--trials", "--op", "plus"}, "trials"), 2u);
  EXPECT_EQ(count({"--shipped", "reduce", "--op", "plus", "--type", "f32", "--size", "2^10..2^12"}), 5u)
      << "also those beside the powers of two";
  EXPECT_EQ(count({"--shipped", "--device", "other"}), 0u);
}

TEST_F(Filters, AnEmptyListSaysSoAndWhatThereIs) {
  const Called called = call({"db", "list", "reduce", "--size", "2^16"});
  EXPECT_EQ(called.code, 0);
  EXPECT_THAT(called.out, IsEmpty());
  EXPECT_EQ(called.err, "no winners in " + path("tuning.db") +
                            " match reduce --size 2^16; there are 4: algorithms inclusive_scan, reduce; operators "
                            "maximum, plus; types i32, f32; sizes 2^12 to 2^20; devices Other GPU, Test GPU\n");
  EXPECT_THAT(call({"db", "list", "--shipped", "--size", "8"}).err,
              AllOf(HasSubstr(fmt::format("in the shipped results match --size 8; there are {}: ",
                                          tuning_db::shipped_winners().size())),
                    HasSubstr("NVIDIA H200")));
  { const tuning_db::Database empty(path("empty.db"), tuning_db::Database::Mode::read_write); }
  EXPECT_EQ(call({"db", "list", "--db", path("empty.db")}).err,
            "there are no winners in " + path("empty.db") + ": `upsweep tune` creates them\n");
}

TEST_F(Filters, ExportTakesThemToo) {
  const nlohmann::json all = nlohmann::json::parse(call({"db", "export"}).out);
  EXPECT_EQ(all.at("winners").size(), 4u);
  const nlohmann::json some = nlohmann::json::parse(call({"db", "export", "--type", "i32", "--size", "4K"}).out);
  ASSERT_EQ(some.at("winners").size(), 1u);
  EXPECT_EQ(some.at("winners")[0].at("device").at("name"), "Other GPU");
  const Called nothing = call({"db", "export", "--type", "i16", "-o", path("nothing.json")});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("no winners in " + path("tuning.db") + " match --type i16; there are 4: "));
  EXPECT_FALSE(fs::exists(path("nothing.json")));
}

TEST_F(Inspect, DbShowsATrial) {
  (void)make_database("other.db", 10);
  EXPECT_THAT(call({"db", "show", "1", "--db", path("other.db")}).out,
              AllOf(HasSubstr("problem      reduce maximum f32, 1048576 items"), HasSubstr("compute capability 9.0"),
                    HasSubstr("nvrtc 13.0"), HasSubstr("median 10 us; 3 samples from 9 us to 11 us")));
  EXPECT_THAT(call({"db", "show", "2", "--db", path("other.db")}).out,
              HasSubstr("failure      wrong result at item 7"));
  EXPECT_EQ(document({"db", "show", "2", "--db", path("other.db")}).at("id"), 2);
  const Called missing = call({"db", "show", "3", "--db", path("other.db")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("no trial 3"));
}

TEST_F(Inspect, DbMovesBetweenMachines) {
  (void)make_database("fast.db", 10);
  (void)make_database("slow.db", 20);
  ASSERT_EQ(call({"db", "export", "--db", path("fast.db"), "-o", path("fast.json")}).code, 0);
  EXPECT_EQ(call({"db", "export", "--db", path("fast.db")}).out, content("fast.json"));
  EXPECT_EQ(nlohmann::json::parse(content("fast.json")).at("winners").size(), 1u);
  EXPECT_TRUE(document({"db", "export", "--db", path("fast.db"), "--trials"}).at("trials").is_array());

  const nlohmann::json report = document({"db", "import", path("fast.json"), "--db", path("slow.db")});
  EXPECT_EQ(report.at("trials_added"), 1);
  EXPECT_EQ(report.at("winners_set"), 1);
  EXPECT_THAT(call({"db", "list", "--db", path("slow.db")}).out, HasSubstr("10 us"));
  EXPECT_THAT(call({"db", "import", path("fast.json"), "--db", path("slow.db")}).out,
              HasSubstr("added 0 trials, set 0 winners. Already in the database: 1 trial. Not faster than the stored "
                        "winner: 1 winner."));
}

TEST_F(Inspect, DbCheckReportsDamage) {
  (void)make_database("tuning.db", 10);
  EXPECT_THAT(call({"db", "check"}).out, HasSubstr("2 trials, 1 winner, 0 wanted problems; no errors found"));
  const nlohmann::json json = document({"db", "check"});
  EXPECT_EQ(json.at("trials"), 2);
  EXPECT_TRUE(json.at("problems").empty());

  // The failed trial's reason is in the last page; a byte of the text's record header makes the row unreadable.
  std::string bytes = content("tuning.db");
  const std::size_t at = bytes.find("wrong result at item 7");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(bytes.rfind("Test GPU"), 4, std::string(4, '\xff'));
  (void)make("tuning.db", bytes);
  const Called damaged = call({"db", "check"});
  EXPECT_EQ(damaged.code, 6) << damaged.out;
}

}  // namespace
}  // namespace upsweep::cli
