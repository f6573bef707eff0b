// Time against the length of rows: scans and reduces of as many items in rows of any length, CUB, and memory alone.
#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/size.hpp"
#include "figures/drawings.hpp"
#include "figures/measured.hpp"

namespace upsweep::figures {
namespace {

constexpr int items_exponent = 26, least_exponent = 2, most_exponent = 24;

// Sums of 2^26 items of f32 in rows of 4, 16, 64 and so on: those of the scan, then those of the reduce.
std::vector<Problem> problems_of_rows() {
  std::vector<Problem> all;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    for (int exponent = least_exponent; exponent <= most_exponent; exponent += 2) {
      all.push_back(in_rows(make_problem(algorithm, Operator::plus, Type::f32, Type::f32),
                            std::uint64_t{1} << (items_exponent - exponent), std::uint64_t{1} << exponent));
    }
  }
  return all;
}

struct Time {
  std::string label;
  double us = 0;
};
// Of a line of the charts, for each cell.
using TimeOf = std::function<std::optional<Time>(const bench::Cell&)>;

// Four digits, and whole microseconds.
std::string microseconds(double us) {
  return us >= 1000 ? fmt::format("{:.0f}", us) : fmt::format("{:.4g}", us);
}

TimeOf time_of(bench::Who who) {
  return [who](const bench::Cell& cell) -> std::optional<Time> {
    const bench::Row* const row = cell.row(who);
    return row == nullptr ? std::nullopt : std::optional(Time{row->label, row->median_us});
  };
}

// memcpy is what memory alone takes: it copies as many bytes as are read and written.
std::vector<TimeOf> lines_of(const std::optional<OtherTimes>& other) {
  std::vector<TimeOf> all{time_of(bench::Who::memcpy), time_of(bench::Who::upsweep), time_of(bench::Who::peer)};
  if (other) {
    all.emplace_back([&other](const bench::Cell& cell) -> std::optional<Time> {
      const std::optional<double> us = other->of(cell.problem);
      return us ? std::optional(Time{other->label, *us}) : std::nullopt;
    });
  }
  return all;
}

report::Series series_of(std::span<const bench::Cell> cells, Algorithm algorithm, std::size_t style,
                         const TimeOf& time_of) {
  report::Series series{line_style(style), {}, {}, false, {}, 0, 0, ""};
  for (const bench::Cell& cell : cells) {
    if (cell.problem.algorithm != algorithm) continue;
    const std::optional<Time> time = time_of(cell);
    if (!time) continue;
    const std::string at = fmt::format("rows of {}", base::format_size(cell.problem.row_length));
    series.label = time->label;
    series.marks.push_back({static_cast<double>(cell.problem.row_length), time->us, at,
                            fmt::format("{}: {}, {} µs", at, time->label, microseconds(time->us))});
  }
  return series;
}

report::Chart chart_of(std::span<const bench::Cell> cells, Algorithm algorithm, const std::string& title,
                       std::span<const TimeOf> lines) {
  report::Chart chart;
  chart.title = title;
  chart.x_label = "items per row";
  chart.y_label = "µs";
  chart.y_logarithmic = true;
  chart.label_width = 150;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    report::Series series = series_of(cells, algorithm, i, lines[i]);
    if (!series.marks.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

// A line for each length, with the times of the scan, then of the reduce.
Table table_of(std::span<const bench::Cell> cells, const std::optional<OtherTimes>& other) {
  const std::vector<TimeOf> lines = lines_of(other);
  std::vector<std::string> who{"memory", "upsweep", "CUB"};
  if (other) who.push_back(other->label);
  Table table{"Times in µs", {"items per row"}, {}};
  for (const char* const call : {"scan", "reduce"}) {
    for (const std::string& each : who) table.columns.push_back(fmt::format("{}: {}", call, each));
  }
  for (const bench::Cell& cell : cells) {
    const std::string length = base::format_size(cell.problem.row_length);
    auto line = std::ranges::find(table.rows, length, [](const std::vector<std::string>& row) { return row.front(); });
    if (line == table.rows.end()) {
      line = table.rows.insert(line, std::vector<std::string>(table.columns.size(), "–"));
      line->front() = length;
    }
    const std::size_t first = cell.problem.algorithm == Algorithm::reduce ? 1 + lines.size() : 1;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (const std::optional<Time> time = lines[i](cell)) (*line)[first + i] = microseconds(time->us);
    }
  }
  return table;
}

Drawing draw_rows(const Setting& setting) {
  Measured measured = measure(setting, problems_of_rows(), {});
  Drawing drawing = rows_drawing(measured.cells, setting.other);
  drawing.notes = std::move(measured.notes);
  if (setting.other) {
    const std::vector<std::string> notes =
        notes_of_other_times(*setting.other, setting.engine.device().identity().name);
    drawing.notes.insert(drawing.notes.end(), notes.begin(), notes.end());
  }
  return drawing;
}

}  // namespace

Drawing rows_drawing(std::span<const bench::Cell> cells, const std::optional<OtherTimes>& other) {
  if (cells.empty()) return {};
  const std::vector<TimeOf> lines = lines_of(other);
  return {{chart_of(cells, Algorithm::inclusive_scan, "Inclusive scan of rows, plus, f32", lines),
           chart_of(cells, Algorithm::reduce, "Reduce of rows, plus, f32", lines)},
          {table_of(cells, other)},
          {}};
}

std::vector<std::string> notes_of_other_times(const OtherTimes& other, const std::string& device) {
  std::vector<std::string> notes{fmt::format(
      "The times of {} were measured apart, by scripts/torch-times, each call between two events.", other.label)};
  if (other.device != device) {
    notes.push_back(fmt::format("The times of {} are of another device: {}.", other.label, other.device));
  }
  return notes;
}

const Figure& rows_figure() {
  static const Figure figure{
      "rows",
      "Time against the length of rows",
      "How long it takes to scan and to reduce 2^26 items of f32 in rows of equal length, each on its own. It should "
      "not matter how long the rows are. memcpy copies as many bytes as each of them reads and writes. CUB scans by "
      "key, "
      "where the key is the number of the row, and its reduce is the segmented one. Another library's times can be "
      "given, such as PyTorch's, which `scripts/torch-times` measures.",
      "upsweep. CUB: DeviceScan::InclusiveScanByKey, DeviceSegmentedReduce",
      "Median of up to 9 samples, all contestants in turn at each length, cold caches, calls back to back "
      "(as `upsweep bench --mode cold`).",
      true,
      3,
      draw_rows};
  return figure;
}

}  // namespace upsweep::figures
