// upsweep figures on the host device: what it draws, what it leaves out, and what it refuses.
#include <gmock/gmock.h>

#include <filesystem>

#include "generator/space.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/space_points.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class FiguresVerb : public Command {
 protected:
  [[nodiscard]] Called figures(const std::vector<std::string>& more) const {
    return call(with({"figures", "--device", "host", "-o", path("figures.html")}, more));
  }
  // A winner that takes half the time of the default.
  void make_database() const {
    tuning_db::Database database(path("tuning.db"), tuning_db::Database::Mode::read_write);
    tuning_db::Trial trial;
    trial.device = {.name = "NVIDIA H200", .compute_major = 9, .compute_minor = 0, .multiprocessors = 132};
    trial.environment = {.driver = "580", .compiler = "nvrtc 13.0", .generator = generator_version()};
    trial.problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1 << 20);
    const Space space(trial.problem, limits_of_architecture("sm_90"));
    trial.config = space.default_config();
    trial.samples_us = {10};
    (void)database.record(trial);
    trial.config = test::neighbours(space, space.default_config()).front();
    trial.samples_us = {5};
    database.set_winner(database.record(trial));
  }
};

TEST_F(FiguresVerb, DrawsWhatNeedsNoGpu) {
  make_database();
  // No time: the smallest size alone.
  const Called called =
      worked(figures({"--budget", "1ms", "--markdown", path("figures.md"), "--svg", path("svg"), "--json"}));
  const nlohmann::json drawn = called.json().at("figures");
  for (const nlohmann::json& each : drawn) {
    const std::string name = each.at("name");
    const bool needs_gpu = name == "throughput" || name == "ladder" || name == "window" || name == "rows";
    EXPECT_EQ(each.at("state"), needs_gpu ? "left_out" : "drawn") << name;
    EXPECT_EQ(std::filesystem::exists(path("svg/" + name + ".svg")), !needs_gpu) << name;
    if (needs_gpu) {
      EXPECT_THAT(called.err, HasSubstr("left out: " + name + ": it needs a GPU\n"));
    }
    EXPECT_THAT(content("figures.html"), HasSubstr("id=\"" + name + "\""));
  }
  EXPECT_THAT(content("figures.html"),
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<h1>host</h1>"),
                    HasSubstr("Left out: it is measured on a GPU"), HasSubstr("The time ran out before 2^12 items")));
  EXPECT_THAT(content("figures.md"),
              AllOf(HasSubstr("\n| 2^10 | 8 | 1 | "), Not(HasSubstr("\n| 2^12 | ")),
                    HasSubstr("\n| NVIDIA H200 | reduce plus i32 | 1 | 2.00 | 2.00 | 2.00 | 2^20 |\n")));
  EXPECT_THAT(content("figures.md"),
              AllOf(HasSubstr("\n| serial | 16 | 15 | 15 | 31 | 31 | – | – | "), HasSubstr("The time ran out before "),
                    HasSubstr(" was counted: give more")));
  EXPECT_THAT(called.err, HasSubstr("drawn; open '" + path("figures.html") + "' in a browser"));
}

TEST_F(FiguresVerb, SaysWhatTheDatabaseLacks) {
  ASSERT_EQ(figures({"--only", "portability"}).code, 0);
  EXPECT_THAT(content("figures.html"),
              AllOf(HasSubstr("has no winner with the time of the default beside it"),
                    HasSubstr("<code>upsweep tune inclusive_scan --op plus --type i32 --size 2^12..2^28</code>"),
                    Not(HasSubstr("id=\"throughput\""))));
}

TEST_F(FiguresVerb, AFigureThatFailsDoesNotLoseTheOthers) {
  make("tuning.db", "this is no database");
  const Called called = figures({"--only", "portability,error_growth", "--budget", "1ms", "--json"});
  EXPECT_EQ(called.code, database);
  EXPECT_THAT(called.err, HasSubstr("upsweep: figure 'portability' failed: "));
  const nlohmann::json drawn = called.json().at("figures");
  EXPECT_EQ(drawn.at(0).at("state"), "drawn");
  EXPECT_EQ(drawn.at(1).at("state"), "failed");
  EXPECT_THAT(content("figures.html"), AllOf(HasSubstr("Failed: "), HasSubstr("Items from 0 to 1")));
}

TEST_F(FiguresVerb, RefusesWhatItCannotDo) {
  const auto refused = [this](const std::vector<std::string>& more, int code, const std::string& what) {
    expect_error(with({"figures", "--device", "host"}, more), code, {what});
  };
  refused({"--only", "portability,fig7"}, usage, "unknown figure 'fig7': use one of throughput, ladder, window, ");
  refused({"--only", "ladder"}, usage, "figure 'ladder' is measured on a GPU: leave it out of --only, or choose a GPU");
  refused({"--budget", "soon"}, usage, "budget 'soon'");
  refused({"-o", path("nowhere/figures.html")}, input, "nowhere/figures.html");
  refused({"-o", path("figures.html"), "--markdown", path("nowhere/figures.md")}, input, "nowhere/figures.md");
  expect_error(words("figures --device host -o - --markdown -"), usage,
               {"--output - and --markdown - both write to standard output: name a file for one of them"});
  for (const char* const option : {"--output", "--markdown"}) {
    const Called called = call({"figures", "--device", "host", option, "-", "--json"});
    EXPECT_EQ(called.code, usage);
    EXPECT_THAT(called.out, HasSubstr(std::string("--json and ") + option +
                                      " - both write to standard output: name a file, or remove --json"));
  }
  const auto bad_times = [&](const std::string& text, const std::string& what) {
    expect_error({"figures", "--device", "host", "--other-times", make("times.json", text)}, input,
                 {path("times.json") + "' has no times (" + what, "): give a file that `scripts/torch-times` wrote"});
  };
  bad_times("no JSON", "parse error at line 1");
  bad_times(R"({"label": "PyTorch", "device": "X"})", "key 'times' not found");
  const std::string begin = R"({"label": "PyTorch", "device": "X", "times": [{"items": 8, "row_length": 4, )";
  bad_times(begin + R"("algorithm": "cumsum", "median_us": 1}]})", "unknown algorithm 'cumsum'");
  bad_times(begin + R"("algorithm": "reduce", "median_us": 0}]})", "median_us is 0, and should be above 0");
  refused({"--other-times", path("nowhere.json")}, input, "nowhere.json");
  refused({"--other-times", path("times.json"), "--only", "networks"}, usage,
          "--other-times is for the figure 'rows': remove it, or add rows to --only");
  refused({"-o", path("figures.html"), "--svg", "/dev/null/svg"}, input, "cannot make the folder '/dev/null/svg'");
}

}  // namespace
}  // namespace upsweep::cli
