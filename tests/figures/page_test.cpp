// The page, Markdown and SVG of drawings that the test gives; what is left out and what failed is told.
#include "figures/page.hpp"

#include <gmock/gmock.h>

#include <upsweep/error.hpp>

#include "tests/support/message_of.hpp"

namespace upsweep::figures {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const Origin origin{"NVIDIA H200 <1>", {"driver 580", "nvrtc 13.0", "2026-11-26T10:00:00Z"}};

std::vector<Outcome> outcomes() {
  report::Chart chart;
  chart.title = "A chart & more";
  chart.series = {
      {line_style(1), "best", {{1024, 2, "2^10 items", "two"}, {4096, 3, "2^12 items", "three"}}, false, {}, 0, 0, ""}};
  Outcome drawn{.figure = &throughput_figure(),
                .drawing = {{chart}, {{"Rates", {"items", "best"}, {{"2^10", "2"}, {"2^12", "3"}}}}, {"Run `a < b`."}}};
  return {drawn,
          {.figure = &ladder_figure(), .left_out = "it needs a GPU."},
          {.figure = &error_figure(), .failure = "the device is gone"}};
}

TEST(FiguresPage, HasChartsTablesAndWhatIsMissing) {
  const std::string html = page(origin, outcomes());
  EXPECT_THAT(html, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<h1>NVIDIA H200 &lt;1&gt;</h1>"),
                          HasSubstr("driver 580, nvrtc 13.0, 2026-11-26T10:00:00Z"),
                          HasSubstr("<b>A chart &amp; more</b>"), HasSubstr("<th scope=\"row\">2^12</th><td>3</td>"),
                          HasSubstr("Run <code>a &lt; b</code>."), HasSubstr("Left out: it needs a GPU."),
                          HasSubstr("Failed: the device is gone"), HasSubstr("Harris, &quot;Optimizing Parallel")));
  EXPECT_THAT(html, HasSubstr("class=\"label line-2\""));
  EXPECT_THAT(html, Not(HasSubstr("http://"))) << "nothing beside itself is needed";
}

TEST(FiguresPage, MarkdownHasTheTables) {
  const std::string text = markdown(origin, outcomes());
  EXPECT_THAT(text, AllOf(StartsWith("NVIDIA H200 <1>, driver 580, nvrtc 13.0, 2026-11-26T10:00:00Z.\n\n## Through"),
                          HasSubstr("\nRates:\n\n| items | best |\n|---|---|\n| 2^10 | 2 |\n| 2^12 | 3 |\n\nRun "),
                          HasSubstr("\nLeft out: it needs a GPU.\n"), HasSubstr("\nFailed: the device is gone\n")));
  EXPECT_FALSE(text.ends_with("\n\n"));
}

TEST(FiguresPage, SvgHasTheChartsOfAFigure) {
  const std::string text = svg(origin, outcomes()[0]);
  EXPECT_THAT(text, AllOf(StartsWith("<svg xmlns="), HasSubstr(">A chart &amp; more</text>"),
                          HasSubstr(".line-2 { color:"), HasSubstr("Throughput against input size: NVIDIA H200")));
  EXPECT_EQ(svg(origin, outcomes()[1]), "");
}

TEST(Figures, HaveNamesAndSources) {
  for (const Figure& each : all_figures()) {
    EXPECT_EQ(&figure_named(each.name), &each);
    EXPECT_FALSE(each.title.empty() || each.shows.empty() || each.source.empty() || each.method.empty()) << each.name;
    EXPECT_NE(each.draw, nullptr) << each.name;
  }
  EXPECT_EQ(test::message_of<UsageError>([] { (void)figure_named("fig7"); }),
            "unknown figure 'fig7': use one of throughput, ladder, window, rows, error_growth, networks, portability");
}

}  // namespace
}  // namespace upsweep::figures
