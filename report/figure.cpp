#include "report/figure.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/axis.hpp"

namespace upsweep::report {
namespace {

using bench::Who;

// Contestants are told apart by colour, dash and marker. The colours are dark enough for white and light enough for
// black paper.
constexpr const char* style_sheet = R"css(<style>
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 13px; }
  .power { font-size: 9px; }
  .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  .paper { fill: #ffffff; }
  .stroke { stroke: #57606a; }
  .rule { stroke: #d0d7de; stroke-width: 0.7; }
  .line { fill: none; stroke: currentColor; stroke-width: 1.8; }
  .label, circle { fill: currentColor; }
  .upsweep { color: #2f7fe0; }
  .peer { color: #d9610b; }
  .memcpy { color: #808890; stroke-dasharray: 7 3; }
  .plain_copy, .plain_read { color: #2b9a4b; stroke-dasharray: 2 3; }
  .memcpy circle, .plain_copy circle, .plain_read circle { r: 0; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .paper { fill: #0d1117; }
    .stroke { stroke: #8b949e; }
    .rule { stroke: #30363d; }
  }
)css";

Mark mark_of(const bench::Cell& cell, const bench::Row& row) {
  const std::string at = fmt::format("{} items", cell.problem.size);
  return {static_cast<double>(cell.problem.size), row.gigabytes_per_second, at,
          fmt::format("{}, {}: {:.1f} GB/s, {:.2f} us", row.label, at, row.gigabytes_per_second, row.median_us)};
}

}  // namespace

std::vector<Chart> throughput_charts(std::span<const bench::Cell> cells, const bench::Mode& mode) {
  std::vector<Chart> charts;
  for (const bench::Cell& cell : cells) {
    if (cell.mode != mode) continue;
    const std::string title = to_string(cell.problem);
    auto chart = std::ranges::find(charts, title, &Chart::title);
    if (chart == charts.end()) chart = charts.insert(chart, Chart{title, "items", "GB/s", true, true, 0, {}, {}});
    for (const bench::Row& row : cell.rows) {
      if (row.bytes == 0 || row.who == Who::upsweep_default) continue;
      const std::string style(name(row.who));
      auto line = std::ranges::find(chart->series, style, &Series::style);
      if (line == chart->series.end()) line = chart->series.insert(line, {style, row.label, {}, false, {}, 0, 0, ""});
      line->marks.push_back(mark_of(cell, row));
    }
  }
  for (Chart& chart : charts) {
    std::ranges::sort(chart.series, {}, [](const Series& each) { return bench::parse_who(each.style); });
    for (Series& line : chart.series) std::ranges::sort(line.marks, {}, &Mark::x);
  }
  return charts;
}

std::string figure_of(std::span<const Chart> charts, std::span<const std::string> caption, std::string_view styles) {
  constexpr double title_height = 32, line_height = 16;
  constexpr double panel_height = title_height + chart_height;
  const double width = chart_width * (charts.size() > 1 ? 2 : 1);
  double y = panel_height * static_cast<double>((charts.size() + 1) / 2);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n{3}{4}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
      width, y + line_height * static_cast<double>(caption.size() + 1),
      escaped(fmt::to_string(fmt::join(caption, "; "))), style_sheet, styles);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    fmt::format_to(
        std::back_inserter(out),
        "<svg x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\">\n"
        "<text class=\"title\" x=\"4\" y=\"20\">{}</text>\n<svg y=\"{:.0f}\" height=\"{:.0f}\">\n{}</svg>\n</svg>\n",
        chart_width * static_cast<double>(i % 2), panel_height * static_cast<double>(i / 2), chart_width, panel_height,
        escaped(charts[i].title), title_height, chart_height, svg(charts[i]));
  }
  for (const std::string& line : caption) {
    fmt::format_to(std::back_inserter(out), "<text x=\"4\" y=\"{:.0f}\">{}</text>\n", y += line_height, escaped(line));
  }
  return out + "</svg>\n";
}

}  // namespace upsweep::report
