// What tuning earns, against figures worked out by hand.
#include "report/earnings.hpp"

#include <gmock/gmock.h>

#include "bench/compare.hpp"
#include "report/page.hpp"

namespace upsweep::report {
namespace {

using bench::Who;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using tuning_db::Rung;

constexpr std::uint64_t large = std::uint64_t{1} << 20, small = std::uint64_t{1} << 12;

struct Times {
  std::optional<double> winner, nearest, built_in;
};

bench::RungCell rung(Rung which, std::uint64_t bytes, std::optional<double> us) {
  bench::RungCell made{{.rung = which, .reason = us ? "tuned" : "<none> & nothing"}, {}};
  if (!us) return made;
  made.choice.config = Config{"lookback", {}};
  made.row = bench::make_row(Who::upsweep, "upsweep", bytes, {*us});
  return made;
}

bench::Cell cell(std::uint64_t size, const Times& times, Algorithm algorithm = Algorithm::inclusive_scan) {
  bench::Cell made;
  made.problem = make_problem(algorithm, Operator::plus, Type::i32, Type::i32, size);
  const bool reduce = algorithm == Algorithm::reduce;
  const std::uint64_t bytes = (reduce ? 4 : 8) * size;
  made.rows = {bench::make_row(Who::upsweep, "upsweep", bytes, {*times.built_in}),
               bench::make_row(Who::peer, "CUB <3>", bytes, {40}),
               bench::make_row(reduce ? Who::plain_read : Who::memcpy, reduce ? "plain read" : "memcpy", bytes, {8})};
  made.rungs = {rung(Rung::exact, bytes, times.winner), rung(Rung::nearest_device, bytes, times.nearest),
                rung(Rung::built_in, bytes, times.built_in)};
  return made;
}

BenchDocument document(int multiprocessors, std::vector<bench::Cell> cells) {
  return {"NVIDIA H200", "580", "2026-11-26", std::move(cells), multiprocessors};
}

// In 8 multiprocessors the default has 0.8 and 0.5 of the winner's speed, in 16 all of it.
std::vector<BenchDocument> documents() {
  return {document(16, {cell(large, {10, std::nullopt, 10})}),
          document(8, {cell(large, {16, 32, 20}), cell(small, {2, 2, 4}),
                       cell(small, {5, std::nullopt, 10}, Algorithm::reduce)})};
}

TEST(Earnings, AreSpeedsDividedByTheWinners) {
  const Earnings earnings = earnings_of(documents());
  ASSERT_EQ(earnings.cells.size(), 4u);
  EXPECT_EQ(earnings.untuned, 0);
  std::vector<int> multiprocessors;
  std::vector<std::uint64_t> sizes;
  std::vector<double> speeds;
  for (const Earned& each : earnings.cells) {
    multiprocessors.push_back(each.multiprocessors);
    sizes.push_back(each.problem.size);
    speeds.push_back(each.speed_of_default());
  }
  EXPECT_THAT(multiprocessors, ElementsAre(8, 8, 16, 8));
  EXPECT_THAT(sizes, ElementsAre(small, large, large, small));
  EXPECT_THAT(speeds, ElementsAre(0.5, 0.8, 1, 0.5));
  EXPECT_EQ(earnings.cells[1].speed_of_nearest(), 0.5);
  EXPECT_EQ(earnings.cells[2].speed_of_nearest(), std::nullopt);
  EXPECT_EQ(earnings.cells[2].why_no_nearest, "<none> & nothing");
  EXPECT_EQ(earnings.cells[1].limit->label, "memcpy");
  EXPECT_EQ(earnings.cells[3].limit->label, "plain read");
}

TEST(Earnings, HaveMeansAndTheLowest) {
  const Earnings earnings = earnings_of(documents());
  const RelativeSpeed of_default = speed_of_default(earnings.cells), of_nearest = speed_of_nearest(earnings.cells);
  EXPECT_EQ(of_default.cells, 4);
  EXPECT_NEAR(of_default.mean, std::pow(0.5 * 0.8 * 1 * 0.5, 0.25), 1e-12);
  EXPECT_EQ(of_default.lowest, 0.5);
  EXPECT_EQ(of_default.slowest, &earnings.cells[0]);
  EXPECT_EQ(of_nearest.cells, 2);
  EXPECT_NEAR(of_nearest.mean, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(of_nearest.slowest, &earnings.cells[1]);
  EXPECT_THAT(earnings_sentences(earnings),
              ElementsAre("Default: 0.67 of the speed of the winner in the geometric mean over 4 cells; the lowest is "
                          "0.50 (inclusive_scan plus i32, 2^12 items, 8 multiprocessors).",
                          "Nearest device: 0.71 of the speed of the winner in the geometric mean over 2 cells; the "
                          "lowest is 0.50 (inclusive_scan plus i32, 2^20 items, 8 multiprocessors).",
                          "In 2 cells, no result of another device fits."));
}

TEST(Earnings, CellsWithoutAWinnerAreCountedOthersAreNotAskedFor) {
  bench::Cell no_rungs = cell(small, {1, 1, 1});
  no_rungs.rungs.clear();
  bench::Cell stood_still = cell(large, {0, 1, 1});
  const Earnings earnings =
      earnings_of(std::vector{document(8, {cell(16, {std::nullopt, 1, 1}), no_rungs, stood_still})});
  EXPECT_EQ(earnings.cells.size(), 0u);
  EXPECT_EQ(earnings.untuned, 2);
  EXPECT_EQ(earnings_section(earnings), "");
  EXPECT_EQ(earnings_sentences(earnings).size(), 0u);
}

TEST(Earnings, ALaterDocumentTakesThePlaceOfAnEarlierOne) {
  std::vector<BenchDocument> both = documents();
  both.push_back(document(16, {cell(large, {10, 10, 20})}));
  both.push_back(document(8, {cell(large, {std::nullopt, 10, 20})}));
  const Earnings earnings = earnings_of(both);
  ASSERT_EQ(earnings.cells.size(), 3u);
  EXPECT_EQ(earnings.untuned, 1);
  EXPECT_EQ(earnings.cells[1].multiprocessors, 16);
  EXPECT_EQ(earnings.cells[1].speed_of_default(), 0.5);
}

TEST(Earnings, TablesHaveARowForEachNumberOfMultiprocessors) {
  const Earnings earnings = earnings_of(documents());
  const std::vector<EarningsTable> tables = tables_of(earnings);
  ASSERT_EQ(tables.size(), 2u);
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_EQ(tables[0].rows[0].size(), 2u);
  EXPECT_EQ(tables[0].rows[1].front().multiprocessors, 16);
  EXPECT_EQ(tables[0].peer, "CUB <3>");
  EXPECT_EQ(tables[1].limit, "plain read");
}

// 2^20 items are 8,388,608 bytes: 20 us are 419 GB/s. At the largest size the default takes 20 us, the winner 16.
TEST(Earnings, MarkdownHasTheFiguresOfTheLargestSizeAndTheMeansOfAll) {
  const std::string text = earnings_markdown(earnings_of(documents()));
  EXPECT_THAT(
      text,
      AllOf(
          HasSubstr("\n| `inclusive_scan plus i32` | 8 | 2^20 | 419 | 262 | 524 | 210 | 1049 | 25% | 0.63 (0.50) | "
                    "0.71 (0.50) |\n"),
          HasSubstr("\n| `inclusive_scan plus i32` | 16 | 2^20 | 839 | none | 839 | 210 | 1049 | 0% | 1.00 (1.00) | – "
                    "|\n"),
          HasSubstr("\n| `reduce plus i32` | 8 | 2^12 | 1.64 | none | 3.28 | 0.41 | 2.05 | 100% | 0.50 (0.50) | – |\n"),
          HasSubstr("\nDefault: 0.67 of the speed of the winner"), HasSubstr("\nIn 2 cells, no result")));
  std::istringstream lines(text.substr(0, text.find("\n\n")));
  for (std::string line; std::getline(lines, line);) EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 12) << line;
}

TEST(Earnings, SectionHasATableForEachProblemAndAFigureOfSeveralDevices) {
  Sources sources;
  sources.documents = documents();
  const std::string html = page(collect(sources));
  const std::string section = html.substr(html.find("id=\"earnings\""));
  EXPECT_THAT(section,
              AllOf(HasSubstr("<h3>inclusive scan, plus, i32</h3>"), HasSubstr("<h3>reduce, plus, i32</h3>"),
                    HasSubstr("<tr><th scope=\"row\">8</th><td>2²⁰</td><td>419</td><td>262</td><td>524</td><td>210</td>"
                              "<td>1049</td><td>25%</td><td>0.63 (0.50)</td><td>0.71 (0.50)</td></tr>"),
                    HasSubstr("<td title=\"&lt;none&gt; &amp; nothing\">none</td>"), HasSubstr("CUB &lt;3&gt;"),
                    HasSubstr("Default: 0.67 of the speed of the winner"), Not(HasSubstr("nan"))));
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = section.find(what); at != std::string::npos; at = section.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<figure class=\"earned\">"), 1) << "of the problem with two devices";
  EXPECT_EQ(count("16 multiprocessors\"><title>"), 4) << "winner, default, CUB and memcpy; nearest has none there";
  EXPECT_THAT(section, HasSubstr("data-at=\"16 multiprocessors\"><title>winner: 839 GB/s, 10 µs</title>"));
}

TEST(Earnings, PagesWithoutRungsHaveNoSection) {
  Sources sources;
  sources.documents = documents();
  for (BenchDocument& each : sources.documents) {
    for (bench::Cell& of : each.cells) of.rungs.clear();
  }
  EXPECT_THAT(page(collect(sources)), Not(HasSubstr("What tuning earns")));
}

// A document of a part goes to that part alone, and the page tells parts apart.
TEST(Earnings, PartsOfAGpuAreDevicesOfTheirOwn) {
  Sources sources;
  sources.documents = documents();
  sources.documents.push_back({"NVIDIA H200", "580", "2026-11-26", {cell(large, {1, 1, 1})}, 0});
  const Facts facts = collect(sources);
  std::vector<int> sizes;
  for (const DeviceIdentity& each : facts.devices) sizes.push_back(each.multiprocessors);
  EXPECT_THAT(sizes, ElementsAre(8, 16)) << "one that does not tell its multiprocessors goes to all of that name";
  sources.documents.pop_back();
  const std::string html = page(collect(sources));
  EXPECT_THAT(html, AllOf(HasSubstr("<title>upsweep report: NVIDIA H200</title>"),
                          HasSubstr("<caption>NVIDIA H200, 16 multiprocessors</caption>"),
                          HasSubstr("<p class=\"summary\">NVIDIA H200, 8 multiprocessors · 2 sizes, not tuned")));
  sources.documents.resize(1);
  EXPECT_THAT(page(collect(sources)), HasSubstr("<caption>NVIDIA H200</caption>"));
}

}  // namespace
}  // namespace upsweep::report
