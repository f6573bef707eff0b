// "What tuning earns" as HTML and as Markdown.
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/size.hpp"
#include "report/axis.hpp"
#include "report/chart.hpp"
#include "report/earnings.hpp"
#include "report/text.hpp"

namespace upsweep::report {
namespace {

// ---- what stands in a row

std::string rate(const std::optional<bench::Row>& row, const char* otherwise) {
  return row ? rate_text(row->gigabytes_per_second) : otherwise;
}

// How much longer the default takes than the winner.
std::string percent(const Earned& cell) {
  return fmt::format("{:.0f}%", std::round(100 * (1 / cell.speed_of_default() - 1)) + 0.0);
}

// "0.97 (0.91)": the mean and the lowest.
std::string speed_text(const RelativeSpeed& speed) {
  return speed.cells == 0 ? "–" : fmt::format("{:.2f} ({:.2f})", speed.mean, speed.lowest);
}

std::string multiprocessors_text(const Earned& cell) {
  return cell.multiprocessors > 0 ? fmt::format("{}", cell.multiprocessors) : "–";
}

// ---- HTML

std::string html_row(std::span<const Earned> cells) {
  const Earned& largest = cells.back();
  const std::string nearest = largest.nearest || largest.why_no_nearest.empty()
                                  ? fmt::format("<td>{}</td>", rate(largest.nearest, "–"))
                                  : fmt::format("<td title=\"{}\">none</td>", escaped(largest.why_no_nearest));
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{}</td></tr>\n",
      multiprocessors_text(largest), size_text(largest.problem.size), rate(largest.built_in, ""), nearest,
      rate(largest.winner, ""), rate(largest.peer, "–"), rate(largest.limit, "–"), percent(largest),
      speed_text(speed_of_default(cells)), speed_text(speed_of_nearest(cells)));
}

std::string html_table(const EarningsTable& table) {
  std::string out = fmt::format(
      "<div class=\"scroll\"><table class=\"earned\"><thead><tr><th scope=\"col\">multiprocessors</th>"
      "<th scope=\"col\">items</th><th scope=\"col\">default</th><th scope=\"col\">nearest device</th>"
      "<th scope=\"col\">winner</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\">tuning "
      "earns</th>"
      "<th scope=\"col\">default, all sizes</th><th scope=\"col\">nearest device, all sizes</th></tr></thead><tbody>\n",
      escaped(table.peer.empty() ? "CUB" : table.peer), escaped(table.limit.empty() ? "memcpy" : table.limit));
  for (const std::span<const Earned> cells : table.rows) out += html_row(cells);
  return out + "</tbody></table></div>\n";
}

// Throughput of the largest sizes for each multiprocessor, which shows a few of them as well as many.
template <typename Row>
Series line(const EarningsTable& table, const char* style, const std::string& label, Row&& row) {
  Series series{style, label, {}, false, {}, 0, 0, ""};
  for (const std::span<const Earned> cells : table.rows) {
    const std::optional<bench::Row> of = row(cells.back());
    if (!of || cells.back().multiprocessors <= 0) continue;
    const double multiprocessors = cells.back().multiprocessors;
    series.marks.push_back(
        {multiprocessors, of->gigabytes_per_second / multiprocessors,
         multiprocessors_text(cells.back()) + " multiprocessors",
         fmt::format("{}: {}, {}", label, throughput_text(of->gigabytes_per_second), time_text(of->median_us))});
  }
  return series;
}

std::string figure(const EarningsTable& table) {
  std::vector<Series> lines;
  lines.push_back(line(table, "winner", "winner", [](const Earned& each) { return std::optional(each.winner); }));
  lines.push_back(line(table, "default", "default", [](const Earned& each) { return std::optional(each.built_in); }));
  lines.push_back(line(table, "nearest", "nearest", [](const Earned& each) { return each.nearest; }));
  lines.push_back(line(table, "peer", table.peer, [](const Earned& each) { return each.peer; }));
  lines.push_back(line(table, "limit", table.limit, [](const Earned& each) { return each.limit; }));
  if (lines.front().marks.size() < 2) return "";
  std::erase_if(lines, [](const Series& each) { return each.marks.empty(); });
  std::string legend = "<ul class=\"legend\">";
  for (const Series& each : lines) legend += fmt::format("<li class=\"{}\">{}</li>", each.style, escaped(each.label));
  const Chart chart{"Throughput for each multiprocessor: " + heading(table.problem),
                    "multiprocessors",
                    "GB/s for each multiprocessor",
                    false,
                    false,
                    0,
                    {},
                    std::move(lines)};
  return "<figure class=\"earned\">\n" + svg(chart) + legend + "</ul>\n</figure>\n";
}

// ---- Markdown

std::string markdown_row(const EarningsTable& table, std::span<const Earned> cells) {
  const Earned& largest = cells.back();
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", to_string(table.problem),
                     multiprocessors_text(largest), base::format_size(largest.problem.size), rate(largest.built_in, ""),
                     rate(largest.nearest, largest.why_no_nearest.empty() ? "–" : "none"), rate(largest.winner, ""),
                     rate(largest.peer, "–"), rate(largest.limit, "–"), percent(largest),
                     speed_text(speed_of_default(cells)), speed_text(speed_of_nearest(cells)));
}

}  // namespace

std::string earnings_section(const Earnings& earnings) {
  if (earnings.cells.empty()) return "";
  std::string out =
      "<section class=\"only-full\" id=\"earnings\">\n<h2>What tuning earns</h2>\n<p class=\"lead\">The built-in "
      "default, the config that the results of the nearest other device give, and the winner of a tune on the device "
      "itself, beside CUB and memcpy (of a reduce: a kernel that only reads) on the same device. All were timed in "
      "turn "
      "in one run. Throughput is in GB/s, of the largest size. &ldquo;Tuning earns&rdquo; is how much longer the "
      "default "
      "takes than the winner. For all sizes, the table shows speed divided by the speed of the winner: the geometric "
      "mean, and the lowest in brackets.</p>\n";
  for (const std::string& each : earnings_sentences(earnings)) out += "<p class=\"lead\">" + escaped(each) + "</p>\n";
  for (const EarningsTable& table : tables_of(earnings)) {
    fmt::format_to(std::back_inserter(out), "<h3>{}</h3>\n<p class=\"summary\">{}</p>\n",
                   escaped(heading(table.problem)), escaped(table.device));
    out += html_table(table) + figure(table);
  }
  return out + "</section>\n";
}

std::string earnings_markdown(const Earnings& earnings) {
  std::string out =
      "| problem | multiprocessors | items | default | nearest device | winner | CUB | memcpy or plain read | tuning "
      "earns | "
      "default, all sizes | nearest device, all sizes |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const EarningsTable& table : tables_of(earnings)) {
    for (const std::span<const Earned> cells : table.rows) out += markdown_row(table, cells);
  }
  for (const std::string& each : earnings_sentences(earnings)) out += "\n" + each + "\n";
  return out;
}

}  // namespace upsweep::report
