// upsweep bench and upsweep plot, on the host device.
#include <set>

#include <gmock/gmock.h>

#include "bench/compare.hpp"
#include "cli/bench_document.hpp"
#include "cli/bench_table.hpp"
#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

class BenchVerb : public Command {
 protected:
  static std::vector<std::string> bench_of(const std::vector<std::string>& more) {
    return words("bench --device host --samples 2", more);
  }
  static Called bench(const std::vector<std::string>& more) { return call(bench_of(more)); }
  static std::vector<std::string> sum_and(const std::vector<std::string>& more) {
    return words("inclusive_scan --op plus --type i32 --size 1000", more);
  }
};

TEST_F(BenchVerb, TakesRangesOfSizes) {
  const Called called = worked(bench({"reduce", "--op", "plus", "--type", "i32", "--size", "2^3..2^5", "--json"}));
  std::set<std::uint64_t> sizes;
  const nlohmann::json document = called.json();
  for (const auto& cell : document.at("comparisons")) {
    sizes.insert(cell.at("problem").at("size").get<std::uint64_t>());
  }
  EXPECT_EQ(sizes, (std::set<std::uint64_t>{8, 16, 32}));
}

TEST_F(BenchVerb, TimesAProblemBesideMemcpy) {
  const Called called = worked(bench(sum_and({})));
  EXPECT_THAT(called.out, AllOf(StartsWith("inclusive_scan plus i32, 1000 items, cold (built_in: default)\n"),
                                HasSubstr("\n  contestant          median  [quartiles]                   GB/s  "
                                          "time divided by the time of upsweep\n"),
                                HasSubstr("\n  upsweep "), HasSubstr("\n  memcpy "), HasSubstr("  1.00x\n"),
                                Not(HasSubstr(" 0.0 ")), Not(HasSubstr(" 0.00x"))));
  EXPECT_THAT(called.err, HasSubstr("the plain kernels and CUB are not in the table: they need a GPU"));
}

TEST_F(BenchVerb, DocumentHasTheMachineAndEveryCell) {
  const Called called = worked(bench(sum_and({"--size", "100", "--mode", "all", "--json", "--offset-in", "3"})));
  const nlohmann::json json = called.json();
  EXPECT_EQ(json.at("device").at("device"), "host");
  EXPECT_THAT(json.at("date").get<std::string>(), MatchesRegex("20..-..-..T..:..:..Z"));
  for (const char* key : {"driver", "compiler", "generator"}) EXPECT_TRUE(json.at(key).is_string()) << key;
  EXPECT_TRUE(json.at("peer").is_null());
  EXPECT_EQ(json.at("offset_in"), 3);
  EXPECT_EQ(json.at("offset_out"), 0);
  EXPECT_EQ(json.at("left_out").size(), 0u);
  EXPECT_EQ(json.at("stopped"), false);
  ASSERT_EQ(json.at("comparisons").size(), 12u) << "two sizes in six modes";
  const nlohmann::json& cell = json.at("comparisons")[1];
  EXPECT_EQ(cell.at("mode"), "warm");
  EXPECT_EQ(cell.at("problem").at("size"), 1000);
  EXPECT_TRUE(cell.at("config").contains("schedule"));
  EXPECT_EQ(cell.at("rung"), "built_in");
  EXPECT_EQ(cell.at("slots"), 2);
  const nlohmann::json& row = cell.at("rows").at(0);
  EXPECT_EQ(row.at("who"), "upsweep");
  EXPECT_EQ(row.at("samples"), 2);
  EXPECT_EQ(row.at("bytes"), 8000);
  EXPECT_LE(row.at("lowest_us"), row.at("lower_quartile_us"));
  EXPECT_LE(row.at("lower_quartile_us"), row.at("median_us"));
  EXPECT_LE(row.at("upper_quartile_us"), row.at("highest_us"));
  ASSERT_EQ(json.at("summary").size(), 6u);
  EXPECT_TRUE(json.at("summary")[0].at("scans").is_null()) << "no CUB";
}

TEST_F(BenchVerb, GridIsALineACell) {
  const Called called = worked(bench({"--grid", "--algorithm", "reduce", "--op", "plus,bit_and", "--type", "i32,f32",
                                      "--size", "100,1000", "--cell-budget", "1ms"}));
  EXPECT_THAT(called.out, AllOf(HasSubstr("time divided by the time of upsweep\nproblem "),
                                HasSubstr("\nreduce plus i32 "), HasSubstr("\nreduce plus f32 "),
                                HasSubstr("\nreduce bit_and i32 "), Not(HasSubstr("\nreduce bit_and f32 "))));
  EXPECT_EQ(std::count(called.out.begin(), called.out.end(), '\n'), 2 + 3 * 2);
  EXPECT_THAT(called.err,
              HasSubstr("left out: reduce bit_and f32: operator bit_and does not take f32: use an integer type\n"));
}

TEST_F(BenchVerb, GridChoosesOperatorsThatAlgorithmsTake) {
  const Called called = worked(
      bench({"--grid", "--algorithm", "reduce,select_if", "--type", "i32", "--size", "100", "--cell-budget", "1ms"}));
  EXPECT_THAT(called.out, AllOf(HasSubstr("\nreduce plus i32 "), HasSubstr("\nselect_if less i32 ")));
  EXPECT_EQ(std::count(called.out.begin(), called.out.end(), '\n'), 2 + 2);
  EXPECT_THAT(called.err, Not(HasSubstr("left out")));
}

TEST_F(BenchVerb, SaysWhichSizesDoNotFit) {
  const Called called = worked(bench(sum_and({"--size", "2^50", "--json"})));
  EXPECT_THAT(called.err,
              HasSubstr("left out: inclusive_scan plus i32, 2^50 items: 4503599627370496 bytes of input and "
                        "4503599627370496 of output do not fit in the memory of host"));
  EXPECT_EQ(called.json().at("left_out").size(), 1u);
  EXPECT_EQ(called.json().at("comparisons").size(), 1u);
}

TEST_F(BenchVerb, RefusesWhatItDoesNotKnow) {
  const auto refused = [this](const std::vector<std::string>& arguments, const std::string& what) {
    expect_error(bench_of(arguments), usage, {what});
  };
  refused({}, "ALGORITHM is required without --grid; see `upsweep bench --help`");
  refused({"reduce", "--type", "i32"}, "--op is required without --grid");
  refused({"reduce", "--op", "plus"}, "--type is required without --grid");
  refused({"--grid", "--op", "summit"}, "unknown operator 'summit'");
  refused({"--grid", "--type", "i32,i3"}, "i3");
  refused({"--grid", "--algorithm", "sort"}, "sort");
  refused(sum_and({"--size", "many"}), "size 'many'");
  refused(sum_and({"--mode", "hot"}),
          "unknown mode 'hot': use one of cold, warm, cold_launched, warm_launched, cold_synchronized, "
          "warm_synchronized, all");
  refused(sum_and({"--cell-budget", "soon"}), "budget 'soon'");
  refused(sum_and({"--samples", "0"}), "--samples");
  refused(sum_and({"--offset-in", "-1"}), "--offset-in");
  refused(sum_and({"--launch-cost"}), "only be measured on a GPU");
  refused({"--grid", "--launch-cost"}, "--grid");
  refused(sum_and({"--output", "-"}), "use --json to print the document on standard output");
  refused({"reduce", "--op", "affine", "--type", "i8"}, "operator affine does not take i8");
}

TEST_F(BenchVerb, PlotsWhatItWrote) {
  const Called measured = worked(bench(sum_and({"--size", "100", "-o", path("bench.json")})));
  EXPECT_THAT(measured.err, HasSubstr("written to '" + path("bench.json") + "'"));
  const Called plotted = worked(call({"plot", path("bench.json"), "-o", path("bench.svg")}));
  EXPECT_THAT(plotted.err, StartsWith("1 panel written to "));
  EXPECT_THAT(content("bench.svg"),
              AllOf(StartsWith("<svg xmlns="), HasSubstr(">inclusive_scan plus i32</text>"), HasSubstr("host")));
  const Called printed = call({"plot", path("bench.json"), "-o", "-", "--problem", "inclusive_scan plus i32"});
  EXPECT_EQ(printed.out, content("bench.svg"));
}

class Plot : public BenchVerb {
 protected:
  void SetUp() override { ASSERT_EQ(bench(sum_and({"-o", path("bench.json")})).code, 0); }
  void refused(int code, const std::string& file, const std::vector<std::string>& more, const std::string& what) {
    expect_error(with({"plot", path(file), "-o", path("none.svg")}, more), code, {what});
  }
  // After an edit of the document.
  void changed_is_refused(const std::function<void(nlohmann::ordered_json& document)>& change,
                          const std::string& what) {
    nlohmann::ordered_json changed = nlohmann::ordered_json::parse(content("bench.json"));
    change(changed);
    make("changed.json", changed.dump());
    refused(3, "changed.json", {}, what);
  }
};

TEST_F(Plot, RefusesOtherFiles) {
  refused(3, "missing.json", {}, "missing.json");
  make("text.json", "hello");
  refused(3, "text.json", {}, "is not valid JSON (parse error at line 1");
  make("other.json", R"({"comparisons": [{"problem": 3}]})");
  refused(3, "other.json", {}, "was not written by `upsweep bench --output`");
  make("deep.json", std::string(300'000, '[') + std::string(300'000, ']'));
  refused(3, "deep.json", {}, "is not valid JSON (its brackets are nested more than 32 levels deep): give a file");
  make("empty.json", "{}");
  refused(3, "empty.json", {}, "was not written by `upsweep bench --output`: key '");
  std::string unknown = content("bench.json");
  unknown.replace(unknown.find("\"i32\""), 5, "\"i33\"");
  make("unknown.json", unknown);
  refused(3, "unknown.json", {}, "was not written by this version of `upsweep bench --output`");
  refused(3, "bench.json", {"--mode", "warm"}, "has no results of mode warm");
  refused(2, "bench.json", {"--problem", "reduce plus i8"}, "'reduce plus i8'; it has: inclusive_scan plus i32");
  refused(2, "bench.json", {"--mode", "hot"}, "unknown mode 'hot'");
}

TEST_F(Plot, RefusesDocumentsThatMakeNoSense) {
  for (const auto& [key, value] : std::vector<std::pair<const char*, nlohmann::json>>{
           {"device", "x"}, {"device", {{"name", 5}}}, {"driver", 5}, {"date", nullptr}, {"compiler", {1}}}) {
    changed_is_refused([&](auto& changed) { changed[key] = value; }, "was not written by `upsweep bench --output`: '");
  }
  for (const auto& [key, value] : std::vector<std::pair<const char*, nlohmann::json>>{{"median_us", -1},
                                                                                      {"median_us", 1e300},
                                                                                      {"median_us", "5"},
                                                                                      {"samples", 1e10},
                                                                                      {"samples", -1},
                                                                                      {"bytes", -5},
                                                                                      {"gigabytes_per_second", 1.7e308},
                                                                                      {"label", 5}}) {
    changed_is_refused([&](auto& changed) { changed.at("comparisons").at(0).at("rows").at(0)[key] = value; },
                       "was not written by ");
  }
  for (const char* size : {"-1", "1e30", "4611686018427387905", "\"x\""}) {
    changed_is_refused(
        [&](auto& changed) { changed.at("comparisons").at(0).at("problem")["size"] = nlohmann::json::parse(size); },
        "the value of 'size' must be a whole number from 0 to 4611686018427387904");
  }
}

bench::Cell cell(std::uint64_t size, double peer_us) {
  bench::Cell made;
  made.problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, size);
  made.rung = "exact";
  made.config.schedule = "lookback";
  made.rows = {bench::make_row(bench::Who::upsweep, "upsweep", 8 * size, {10}),
               bench::make_row(bench::Who::peer, "CUB 3.5.0", 8 * size, {peer_us}),
               bench::make_row(bench::Who::empty_kernel, "empty kernel", 0, {2})};
  return made;
}

TEST(BenchDocument, ReadsBackWhatItWrote) {
  Json document;
  document["comparisons"] = {json_of(cell(1000, 12.5))};
  const std::vector<bench::Cell> cells = read_cells(document, "file");
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(json_of(cells[0]), json_of(cell(1000, 12.5)));
}

// The shape of a problem names the class of the row length alone.
TEST_F(BenchVerb, DocumentKeepsTheLengthAndThePitchOfRows) {
  bench::Cell measured = cell(1000, 12.5);
  measured.problem.shape = Shape::rows;
  measured.problem.row_length = 100;
  measured.problem.row_pitch = 120;
  Json document;
  document["comparisons"] = {json_of(measured)};
  Json& written = document["comparisons"][0];
  EXPECT_EQ(written.at("problem").at("shape"), "rows of 128");
  EXPECT_EQ(written.at("row_length"), 100);
  EXPECT_EQ(written.at("row_pitch"), 120);
  EXPECT_EQ(read_cells(document, "file").at(0).problem, measured.problem);
  EXPECT_THAT(worked(call({"plot", make("bench.json", document.dump()), "-o", "-"})).out,
              HasSubstr("inclusive_scan plus i32, rows of 100 with a pitch of 120"));
  for (const int wrong : {50, 121}) {  // of another class, above the pitch
    written["row_length"] = wrong;
    EXPECT_THROW((void)read_cells(document, "file"), InputError) << wrong;
  }
  written.erase("row_length");
  EXPECT_EQ(read_cells(document, "file").at(0).problem.row_pitch, 120) << "as documents were before";
}

TEST(BenchDocument, HasTheNamesOfProblemsThatAllJsonHas) {
  EXPECT_EQ(
      json_of(cell(1000, 12.5)).at("problem").dump(),
      R"({"algorithm":"inclusive_scan","operator":"plus","input":"i32","accumulator":"i32","output":"i32","size":1000})");
}

// Written when documents had names of their own.
TEST(BenchDocument, ReadsEarlierNames) {
  const Json document = read_document(UPSWEEP_SOURCE_DIR "/tests/cli/golden/bench_with_names_of_its_own.json");
  ASSERT_EQ(
      document.at("comparisons")[0].at("problem").dump(),
      R"({"algorithm":"inclusive_scan","op":"plus","type":"u8","accumulate":"i64","output_type":"f64","size":1024})");
  const std::vector<bench::Cell> cells = read_cells(document, "file");
  ASSERT_EQ(cells.size(), 8u);
  std::vector<Problem> expected;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    for (const Type type : {Type::u8, Type::i32}) {
      for (const std::uint64_t size : {1024, 1000}) {
        expected.push_back(make_problem(algorithm, Operator::plus, type, Type::i64, size));
        expected.back().output = Type::f64;
      }
    }
  }
  Json written;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].problem, expected[i]);
    Json as_it_was = document.at("comparisons")[i];
    written["comparisons"].push_back(json_of(cells[i]));
    as_it_was["problem"] = written["comparisons"][i]["problem"];
    EXPECT_EQ(written["comparisons"][i], as_it_was) << "but for the names it is the same";
  }
  EXPECT_EQ(read_cells(written, "file").size(), cells.size());
  Json mixed = document;
  mixed["comparisons"][0]["problem"]["more"] = "i32";
  EXPECT_THROW((void)read_cells(mixed, "file"), InputError);
}

TEST(BenchTable, ShowsAnEmptyKernelBesideSmallProblemsOnly) {
  EXPECT_EQ(grid_line(cell(1 << 16, 15)),
            "inclusive_scan plus i32                2^16  cold              exact            10 us    52"
            "            1.50                            0.20\n");
  EXPECT_THAT(grid_line(cell((1 << 16) + 1, 15)), Not(HasSubstr("0.20")));
}

TEST(BenchTable, ShowsTwoDigitsOfWhatIsSmall) {
  bench::Cell slow = cell(1 << 16, 15);
  slow.rows[0] = bench::make_row(bench::Who::upsweep, "upsweep", 8 << 16, {1e6});
  slow.rows[1] = bench::make_row(bench::Who::memcpy, "memcpy", 8 << 16, {123});
  const std::string line = grid_line(slow);
  EXPECT_THAT(line, AllOf(HasSubstr(" 0.00052 "), HasSubstr(" 0.00012 ")));
  EXPECT_THAT(describe(slow, "default"), AllOf(HasSubstr("   0.00052  1.00x\n"), HasSubstr("       4.3  0.00012x\n")));
}

TEST(BenchTable, SummaryNamesTheWorstCell) {
  const std::vector cells{cell(1000, 20), cell(1 << 20, 5)};
  const std::vector<bench::Summary> summaries = bench::summarize(cells);
  EXPECT_EQ(describe(summaries.at(0)),
            "time of CUB divided by the time of upsweep, geometric mean, cold:\n"
            "  scans    1.000 over 2 cells (1 below 1); the lowest is 0.50: inclusive_scan plus i32, 2^20 items\n");
  EXPECT_EQ(describe(bench::Summary{}), "");
  EXPECT_TRUE(json_of(summaries[0]).at("reduces").is_null());
  EXPECT_EQ(json_of(summaries[0]).at("scans").at("below_one"), 1);
}

TEST(BenchTable, SummaryHasALineOfSelections) {
  bench::Cell selection = cell(1000, 20);
  selection.problem.algorithm = Algorithm::select_if;
  const std::vector<bench::Summary> summaries = bench::summarize(std::vector{selection});
  EXPECT_THAT(describe(summaries.at(0)),
              HasSubstr(":\n  compact  2.000 over 1 cell (0 below 1); the lowest is 2.00: "));
  EXPECT_EQ(json_of(summaries[0]).at("compact").at("cells"), 1);
  EXPECT_TRUE(json_of(summaries[0]).at("scans").is_null());
}

TEST(BenchTable, SummaryHasALineOfDifferences) {
  bench::Cell difference = cell(1000, 20);
  difference.problem = make_problem(Algorithm::adjacent_difference, minus, Type::i32, Type::i32, 1000);
  const std::vector<bench::Summary> summaries = bench::summarize(std::vector{difference});
  EXPECT_THAT(describe(summaries.at(0)), HasSubstr(":\n  differences 2.000 over 1 cell"));
  EXPECT_EQ(json_of(summaries[0]).at("differences").at("cells"), 1);
}

TEST(BenchTable, LaunchCostIsInNanoseconds) {
  const Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1024);
  const std::vector rows{bench::make_row(bench::Who::upsweep, "Plan::run", 0, {2.5}),
                         bench::make_row(bench::Who::empty_kernel, "cuLaunchKernel", 0, {2})};
  EXPECT_EQ(describe_launch_cost(problem, rows),
            "host time of a call, reduce plus i32, 2^10 items\n"
            "  Plan::run           2500 ns  [2500 .. 2500]  1.25x\n"
            "  cuLaunchKernel      2000 ns  [2000 .. 2000]  1.00x\n");
}

}  // namespace
}  // namespace upsweep::cli
