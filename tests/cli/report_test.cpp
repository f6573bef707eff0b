// upsweep report: which trials, devices and documents it takes, and what it refuses.
#include <gmock/gmock.h>
#include <upsweep/source.hpp>

#include "generator/space.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/space_points.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ReportVerb : public Command {
 protected:
  // A default and a winner for each device and type.
  void make_database(const std::string& name) const {
    tuning_db::Database database(path(name), tuning_db::Database::Mode::read_write);
    for (const char* device : {"NVIDIA H200", "NVIDIA B200"}) {
      for (const Type type : {Type::i32, Type::f32}) {
        tuning_db::Trial trial;
        trial.device = {.name = device, .compute_major = 9, .compute_minor = 0, .multiprocessors = 132};
        trial.environment = {.driver = "580", .compiler = "nvrtc 13.0", .generator = generator_version()};
        trial.problem = make_problem(Algorithm::reduce, Operator::plus, type, type, 1 << 20);
        const Space space(trial.problem, limits_of_architecture("sm_90"));
        trial.config = space.default_config();
        trial.samples_us = {12, 10, 8};
        (void)database.record(trial);
        trial.config = test::neighbours(space, space.default_config()).front();
        trial.samples_us = {4, 3, 5};
        database.set_winner(database.record(trial));
      }
    }
  }

  // The page's data.
  [[nodiscard]] nlohmann::json data(const std::string& name) const {
    const std::string html = content(name), begin = "id=\"data\">";
    const std::size_t from = html.find(begin) + begin.size();
    return nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from));
  }

  [[nodiscard]] Called report(const std::vector<std::string>& more) const {
    return call(with({"report", "-o", path("report.html")}, more));
  }
};

TEST_F(ReportVerb, TellsWhatTheDatabaseKnows) {
  make_database("tuning.db");
  const Called called = worked(report({"--json"}));
  EXPECT_EQ(called.json().at("problems"), 4);
  EXPECT_EQ(called.json().at("winners"), 4);
  EXPECT_EQ(called.json().at("trials"), 8);
  EXPECT_EQ(called.json().at("bytes"), content("report.html").size());
  EXPECT_THAT(called.err, HasSubstr("open '" + path("report.html") + "' in a browser"));
  EXPECT_THAT(content("report.html"), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("NVIDIA B200, NVIDIA H200")));
  const nlohmann::json size = data("report.html").at("problems").at(0).at("sizes").at(0);
  EXPECT_EQ(size.at("winner_us"), 4);
  EXPECT_EQ(size.at("default_us"), 10);
  EXPECT_EQ(size.at("over_default"), 2.5);
}

TEST_F(ReportVerb, TakesADocumentWithEarlierNames) {
  ASSERT_EQ(report({"--bench", UPSWEEP_SOURCE_DIR "/tests/cli/golden/bench_with_names_of_its_own.json"}).code, 0);
  const nlohmann::json problems = data("report.html").at("problems");
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].at("problem"), "inclusive_scan plus u8 in i64 to f64");
  EXPECT_EQ(problems[3].at("problem"), "reduce plus i32 in i64 to f64");
}

TEST_F(ReportVerb, AgreesWithTuneOnTheHostDevice) {
  const nlohmann::json tuned = document(
      words("tune inclusive_scan --op plus --type i32 --size 1K --device host --isolation none --max-trials 3"));
  const nlohmann::json size = tuned.at("problems")[0].at("sizes")[0];
  const double winner = size.at("winner_us"), usual = size.at("default_us");
  ASSERT_GT(usual, 0);
  ASSERT_EQ(report({}).code, 0);
  const nlohmann::json told = data("report.html").at("problems").at(0).at("sizes").at(0);
  EXPECT_NEAR(told.at("winner_us"), winner, winner * 1e-3);
  EXPECT_NEAR(told.at("default_us"), usual, usual * 1e-3);
  EXPECT_NEAR(told.at("over_default"), usual / winner, 1e-2);
  EXPECT_THAT(content("report.html"), AllOf(HasSubstr("the speed of the built-in default"), Not(HasSubstr("CUB"))));
}

TEST_F(ReportVerb, TakesPartOfADeviceAndAProblem) {
  make_database("other.db");
  ASSERT_EQ(report({"--db", path("other.db"), "--device", "h200", "--problem", "reduce plus f32"}).code, 0);
  const nlohmann::json problems = data("report.html").at("problems");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].at("device"), "NVIDIA H200");
  EXPECT_EQ(problems[0].at("problem"), "reduce plus f32");
}

TEST_F(ReportVerb, AddsABenchDocument) {
  ASSERT_EQ(
      call(words("bench reduce --op plus --type i32 --size 1000 --device host --samples 2 -o", {path("bench.json")}))
          .code,
      0);
  ASSERT_EQ(report({"--bench", path("bench.json")}).code, 0) << "there is no database yet";
  const nlohmann::json problems = data("report.html").at("problems");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].at("device"), "host");
  EXPECT_GT(problems[0].at("sizes").at(0).at("bench_us").at("upsweep"), 0);
  EXPECT_THAT(content("report.html"), Not(HasSubstr("class=\"hint\""))) << "CUB needs a GPU, memcpy is there";
  const Called warm = report({"--bench", path("bench.json"), "--mode", "warm"});
  EXPECT_EQ(warm.code, 3);
  EXPECT_THAT(warm.err, HasSubstr("has no results of mode warm"));
}

TEST_F(ReportVerb, WithoutADatabaseSaysWhatToDo) {
  const Called called = worked(report({}));
  EXPECT_THAT(content("report.html"), HasSubstr("Nothing has been tuned yet"));
  EXPECT_THAT(call({"report", "-o", "-"}).out, StartsWith("<!DOCTYPE html>"));
}

TEST_F(ReportVerb, TellsOfShippedResultsWhenAsked) {
  const Called called = worked(report({"--shipped", "--problem", "inclusive_scan plus i32", "--json"}));
  EXPECT_EQ(called.json().at("problems"), 1);
  EXPECT_EQ(called.json().at("winners"), 21);
  EXPECT_EQ(data("report.html").at("problems").at(0).at("device"), "NVIDIA H200");
  EXPECT_THAT(content("report.html"), AllOf(HasSubstr("<div id=\"matrix\" data-basis=\"throughput\">"),
                                            HasSubstr("<span class=\"of-throughput\" title=\"2³⁰ items\">4"),
                                            Not(HasSubstr("of-throughput\">–"))));
}

TEST_F(ReportVerb, RefusesWhatItCannotUse) {
  make_database("tuning.db");
  const auto refused = [this](int code, const std::vector<std::string>& arguments, const std::string& what) {
    const Called called = report(arguments);
    EXPECT_EQ(called.code, code) << what;
    EXPECT_THAT(called.err, HasSubstr(what));
    EXPECT_EQ(called.error_lines(), 1) << called.err;
    EXPECT_THAT(files(), Not(Contains("report.html"))) << what;
  };
  refused(6, {"--db", path("missing.db")}, "missing.db");
  refused(6, {"--db", make("text.db", std::string(200, 'x'))}, "text.db");
  refused(2, {"--device", "A100"},
          "there are no results for a device 'A100'; there are results for: NVIDIA B200, NVIDIA H200");
  refused(2, {"--problem", "reduce plus i8"},
          "there are no results for the problem 'reduce plus i8'; there are results for: reduce plus");
  refused(3, {"--bench", path("missing.json")}, "missing.json");
  refused(3, {"--bench", make("text.json", "hello")}, "is not valid JSON (parse error at line 1");
  refused(3, {"--bench", make("deep.json", std::string(300'000, '[') + std::string(300'000, ']'))}, "nested more than");
  refused(3, {"--bench", make("other.json", "{}")}, "was not written by `upsweep bench --output`");
  refused(3, {"--bench", make("array.json", "[1]")}, "array.json' was not written by");
  refused(2, {"--bench", path("text.json"), "--mode", "hot"}, "unknown mode 'hot'");
}

}  // namespace
}  // namespace upsweep::cli
