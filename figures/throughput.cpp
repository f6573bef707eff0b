// Throughput against input size: the single-pass scans, the scans of several passes, CUB and memcpy.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/size.hpp"
#include "figures/drawings.hpp"
#include "figures/measured.hpp"

namespace upsweep::figures {
namespace {

constexpr int least_scan_exponent = 12, most_scan_exponent = 28;

Drawing draw_throughput(const Setting& setting) {
  const std::vector<Problem> problems =
      at_powers_of_two(sum_of_i32(Algorithm::inclusive_scan), least_scan_exponent, most_scan_exponent);
  Measured measured = measure(setting, problems,
                              {named_config("look-back", "lookback"), named_config("chained", "chained"),
                               named_config("reduce-then-scan", "reduce_then_scan"),
                               named_config("scan-then-propagate", "scan_then_propagate")});
  Drawing drawing = throughput_drawing(measured.cells);
  drawing.notes = std::move(measured.notes);
  return drawing;
}

struct Line {
  std::string label;
  std::vector<std::pair<std::uint64_t, double>> times;  // in microseconds, by size
};

void add(std::vector<Line>& lines, const std::string& label, std::uint64_t size, const bench::Row* row) {
  if (row == nullptr) return;
  auto line = std::ranges::find(lines, label, &Line::label);
  if (line == lines.end()) line = lines.insert(line, {label, {}});
  line->times.emplace_back(size, row->median_us);
}

// memcpy, the best, the peer, then the configs, as far as they were timed.
std::vector<Line> lines_of(std::span<const bench::Cell> cells) {
  std::vector<Line> lines;
  for (const bench::Cell& cell : cells) add(lines, "memcpy", cell.problem.size, cell.row(bench::Who::memcpy));
  for (const bench::Cell& cell : cells) add(lines, "best", cell.problem.size, cell.row(bench::Who::upsweep));
  for (const bench::Cell& cell : cells) {
    const bench::Row* const peer = cell.row(bench::Who::peer);
    add(lines, peer == nullptr ? "" : peer->label, cell.problem.size, peer);
  }
  for (const bench::Cell& cell : cells) {
    for (const bench::ConfigCell& each : cell.configs) {
      add(lines, each.label, cell.problem.size, cell.config_row(each.label));
    }
  }
  return lines;
}

std::vector<std::string> row_of(const bench::Cell& cell, const std::vector<Line>& lines) {
  std::vector<std::string> row{base::format_size(cell.problem.size)};
  for (const Line& line : lines) {
    const auto at = std::ranges::find(line.times, cell.problem.size, &std::pair<std::uint64_t, double>::first);
    row.push_back(at == line.times.end() ? "–" : fmt::format("{:.3g}", rate(at->first, at->second)));
  }
  return row;
}

}  // namespace

report::Mark mark_at(std::uint64_t size, double y, const std::string& note) {
  const std::string at = base::format_items(size);
  return {static_cast<double>(size), y, at, at + ": " + note};
}

double rate(std::uint64_t items, double us) {
  return us > 0 ? static_cast<double>(items) / us / 1e3 : 0;
}

Drawing throughput_drawing(std::span<const bench::Cell> cells) {
  const std::vector<Line> lines = lines_of(cells);
  report::Chart chart;
  chart.title = "Inclusive scan, plus, i32";
  chart.x_label = "items";
  chart.y_label = "billions of items per second";
  chart.label_width = 150;
  Table table{"Billions of items per second", {"items"}, {}};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    report::Series series{line_style(i), lines[i].label, {}, false, {}, 0, 0, ""};
    for (const auto& [size, us] : lines[i].times) {
      const double y = rate(size, us);
      series.marks.push_back(mark_at(size, y, fmt::format("{}, {:.3g} billion/s, {:.4g} µs", lines[i].label, y, us)));
    }
    chart.series.push_back(std::move(series));
    table.columns.push_back(lines[i].label);
  }
  for (const bench::Cell& cell : cells) table.rows.push_back(row_of(cell, lines));
  if (lines.empty()) return {};
  return {{std::move(chart)}, {std::move(table)}, {}};
}

const Figure& throughput_figure() {
  static const Figure figure{
      "throughput",
      "Throughput against input size",
      "How many items per second an inclusive sum of i32 scans: with the config that upsweep chooses (best), with the "
      "schedules of the literature, each with its default config for the size, and in CUB. memcpy copies as many bytes "
      "as the scan reads and writes: no scan can be faster for inputs beyond the cache.",
      "Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled Look-back\", NVIDIA Technical Report "
      "NVR-2016-002, 2016, figures 7 to 9",
      "Median of up to 9 samples, all contestants in turn at each size, cold caches, calls back to back "
      "(as `upsweep bench --mode cold`).",
      true,
      5,
      draw_throughput};
  return figure;
}

}  // namespace upsweep::figures
