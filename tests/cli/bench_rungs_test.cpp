// upsweep bench --rungs on the host device, its document, and what `report` makes of it.
#include <gmock/gmock.h>

#include "bench/compare.hpp"
#include "cli/bench_document.hpp"
#include "cli/bench_table.hpp"
#include "generator/space.hpp"
#include "runtime/host/host_device.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/space_points.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using tuning_db::Rung;

class BenchRungs : public Command {
 protected:
  // Two configs of which neither is the default: the host device's winner, and that of a larger host.
  void make_database() const {
    const runtime::HostDevice device;
    const Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1024);
    const Space space(problem, device.limits());
    const std::vector<Config> others = test::neighbours(space, space.default_config());
    tuning_db::Database database(path("tuning.db"), tuning_db::Database::Mode::read_write);
    for (std::size_t i = 0; i < 2; ++i) {
      tuning_db::Trial trial;
      trial.device = device.identity();
      if (i == 1) trial.device.multiprocessors += 7;
      trial.environment = {"1", "2", "3"};
      trial.problem = problem;
      trial.config = others.at(i);
      trial.samples_us = {5};
      database.set_winner(database.record(trial));
    }
  }
  [[nodiscard]] static std::vector<std::string> bench(const std::vector<std::string>& more) {
    return words("bench reduce --op plus --type i32 --size 2^10 --device host --samples 1", more);
  }
};

TEST_F(BenchRungs, AreTimedBesideTheChoice) {
  make_database();
  const std::string file = path("bench.json");
  const Called called = worked(call(bench({"--rungs", "exact,nearest_device,type_class,built_in", "-o", file})));
  EXPECT_THAT(called.out,
              AllOf(StartsWith("reduce plus i32, 2^10 items, cold (exact: "), HasSubstr("\n  of the rungs:\n"),
                    HasSubstr("\n  exact "), HasSubstr("\n    tuned on this device for 2^10 items"),
                    HasSubstr("\n  nearest_device "), HasSubstr("(another host) for 2^10 items"),
                    HasSubstr("\n  type_class            none  there is no result\n"),
                    HasSubstr("\n    built-in default\n    default\n")));
  const nlohmann::json cell = nlohmann::json::parse(content("bench.json")).at("comparisons").at(0);
  ASSERT_EQ(cell.at("rungs").size(), 4u);
  const nlohmann::json &exact = cell.at("rungs")[0], &nearest = cell.at("rungs")[1], &nothing = cell.at("rungs")[2];
  EXPECT_EQ(exact.at("config"), cell.at("config"));
  EXPECT_EQ(exact.at("row").at("median_us"), cell.at("rows")[0].at("median_us")) << "one measurement";
  EXPECT_NE(nearest.at("config"), exact.at("config"));
  EXPECT_GT(nearest.at("row").at("median_us"), 0);
  EXPECT_EQ(nothing.dump(), R"({"config":null,"reason":"there is no result","row":null,"rung":"type_class"})");

  const Called report =
      worked(call({"report", "--bench", file, "-o", path("report.html"), "--markdown", path("table.md"), "--json"}));
  const nlohmann::json earned = report.json().at("earnings");
  EXPECT_EQ(earned.at("cells"), 1);
  EXPECT_EQ(earned.at("untuned"), 0);
  const double ratio =
      exact.at("row").at("median_us").get<double>() / cell.at("rungs")[3].at("row").at("median_us").get<double>();
  EXPECT_NEAR(earned.at("default").at("lowest"), ratio, 1e-9);
  EXPECT_EQ(earned.at("nearest_device").at("cells"), 1);
  EXPECT_THAT(content("table.md"), HasSubstr("\n| `reduce plus i32` | – | 2^10 | "));
  EXPECT_THAT(content("report.html"), HasSubstr("<h2>What tuning earns</h2>"));
}

TEST_F(BenchRungs, AreColumnsOfAGrid) {
  const Called called = worked(call(bench({"--grid", "--cell-budget", "1ms", "--rungs", "all"})));
  std::istringstream lines(called.out);
  std::string names, line;
  for (int i = 0; i < 2; ++i) std::getline(lines, names);
  std::getline(lines, line);
  EXPECT_THAT(names, HasSubstr("empty    exact  nearest_size  nearest_device  type_class  built_in"));
  EXPECT_THAT(line, HasSubstr("     none          none            none        none      1.00"));
  EXPECT_EQ(line.size(), names.size());
}

TEST_F(BenchRungs, OfOtherNamesAndOfLaunchCostsAreRefused) {
  expect_error(bench({"--rungs", "exact,best"}), usage,
               {"unknown rung 'best': use one of exact, nearest_size, nearest_device, type_class, built_in, all"});
  expect_error(bench({"--rungs", "exact", "--launch-cost"}), usage, {"--launch-cost", "--rungs"});
}

// Of two parts of a GPU, as `bench` would have written it; times chosen by hand.
std::string document_of(int multiprocessors, double default_us, const std::string& rungs) {
  const auto row = [](double us) {
    return fmt::format(R"({{"who": "upsweep", "label": "upsweep", "median_us": {0}, "lowest_us": {0},
      "lower_quartile_us": {0}, "upper_quartile_us": {0}, "highest_us": {0}, "samples": 3, "bytes": 8192,
      "gigabytes_per_second": {1}}})",
                       us, 8.192 / us);
  };
  std::string text = fmt::format(R"({{"device": {{"device": "cuda:0/{0}", "name": "NVIDIA H200",
    "architecture": "sm_90", "multiprocessors": {0}}}, "driver": "580", "date": "2026-11-26", "comparisons": [{{
    "problem": {{"algorithm": "inclusive_scan", "operator": "plus", "input": "i32", "accumulator": "i32",
    "output": "i32", "size": 1024}}, "mode": "cold", "rung": "exact", "config": {{"schedule": "lookback"}}, "slots": 2,
    "rows": [{1}], "rungs": [{2}{{"rung": "exact", "reason": "tuned", "config": {{"schedule": "lookback"}}, "row": {1}}},
    {{"rung": "built_in", "reason": "built-in default", "config": {{"schedule": "lookahead"}}, "row": {3}}}]}}]}})",
                                 multiprocessors, row(2), rungs, row(default_us));
  return text;
}

TEST_F(BenchRungs, ReportReadsDocumentsOfSeveralParts) {
  make("8.json", document_of(8, 4, ""));
  make("16.json", document_of(16, 2.5, R"({"rung": "nearest_device", "reason": "why", "config": null, "row": null},)"));
  const Called called = worked(call({"report", "--bench", path("8.json"), "--bench", path("16.json"), "-o",
                                     path("report.html"), "--markdown", path("table.md"), "--json"}));
  const nlohmann::json earned = called.json().at("earnings");
  EXPECT_EQ(earned.at("cells"), 2);
  EXPECT_EQ(earned.at("default").at("lowest"), 0.5);
  EXPECT_NEAR(earned.at("default").at("geometric_mean"), std::sqrt(0.5 * 0.8), 1e-12);
  EXPECT_TRUE(earned.at("nearest_device").is_null());
  EXPECT_THAT(content("table.md"),
              AllOf(HasSubstr("| 8 | 2^10 | 2.05 | – | 4.1 | – | – | 100% | 0.50 (0.50) | – |\n"),
                    HasSubstr("| 16 | 2^10 | 3.28 | none | 4.1 | – | – | 25% | 0.80 (0.80) | – |\n")));
  EXPECT_THAT(called.err, HasSubstr("what tuning earns was written to '" + path("table.md") + "'"));
}

TEST_F(BenchRungs, MarkdownNeedsThem) {
  std::string text = document_of(8, 4, "");
  text.replace(text.find("\"rungs\""), 7, "\"other\"");
  const std::vector<std::string> report{"report", "--bench", make("none.json", text), "-o", path("report.html")};
  EXPECT_TRUE(worked(call(with(report, {"--json"}))).json().at("earnings").is_null());
  expect_error(with(report, {"--markdown", path("table.md")}), usage,
               {"no file of --bench has times of a winner and of the default", "upsweep bench --rungs"});
}

TEST_F(BenchRungs, DocumentsWithWrongOnesAreRefused) {
  const auto refused = [this](const std::string& rungs, const std::string& what) {
    const std::string file = make("wrong.json", document_of(8, 4, rungs));
    expect_error({"report", "--bench", file, "-o", path("report.html")}, input, {what});
  };
  refused(R"({"rung": "best", "reason": "", "config": null, "row": null},)", "unknown rung 'best'");
  refused(R"({"rung": "nearest_size", "reason": "", "config": {"schedule": "lookback"}, "row": null},)",
          "the rung 'nearest_size' has a config or a row, but not both");
  refused(R"({"rung": "nearest_size", "config": null, "row": null},)", "key 'reason' not found");
  refused(R"({"rung": "exact", "reason": "", "config": null, "row": null},)", "the rung 'exact' is there twice");
  refused("3,", "was not written by");
}

TEST(BenchRungsDocument, ReadsBackWhatItWrote) {
  bench::Cell cell;
  cell.problem = make_problem(Algorithm::reduce, Operator::plus, Type::f32, Type::f32, 1000);
  cell.rung = "exact";
  cell.config.schedule = "lookback";
  cell.rows = {bench::make_row(bench::Who::upsweep, "upsweep", 4000, {10})};
  cell.rungs = {{{Rung::exact, cell.config, "tuned"}, cell.rows[0]}, {{Rung::nearest_device, {}, "no result"}, {}}};
  Json document;
  document["comparisons"] = {json_of(cell)};
  const std::vector<bench::Cell> read = read_cells(document, "file");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(json_of(read[0]), json_of(cell));
  EXPECT_EQ(read[0].rungs.at(0).choice.config, cell.config);
  EXPECT_EQ(read[0].rungs.at(1).choice.reason, "no result");
  cell.rungs.clear();
  EXPECT_FALSE(json_of(cell).contains("rungs")) << "as documents were before";
}

}  // namespace
}  // namespace upsweep::cli
