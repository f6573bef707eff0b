// Time against the length of rows: scans and reduces of as many items in rows of any length, CUB, and memory alone.
#include <algorithm>
#include <array>
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

// What memory alone takes: a copy of as many bytes as are read and written.
const bench::Row* bound_of(const bench::Cell& cell) {
  return cell.row(bench::Who::memcpy);
}

report::Series series_of(std::span<const bench::Cell> cells, Algorithm algorithm, std::size_t style,
                         const bench::Row* (*row_of)(const bench::Cell&)) {
  report::Series series{line_style(style), {}, {}, false, {}, 0, 0, ""};
  for (const bench::Cell& cell : cells) {
    const bench::Row* const row = cell.problem.algorithm == algorithm ? row_of(cell) : nullptr;
    if (row == nullptr) continue;
    const std::string at = fmt::format("rows of {}", base::format_size(cell.problem.row_length));
    series.label = row->label;
    series.marks.push_back({static_cast<double>(cell.problem.row_length), row->median_us, at,
                            fmt::format("{}: {}, {:.4g} µs", at, row->label, row->median_us)});
  }
  return series;
}

report::Chart chart_of(std::span<const bench::Cell> cells, Algorithm algorithm, const std::string& title) {
  report::Chart chart;
  chart.title = title;
  chart.x_label = "items per row";
  chart.y_label = "µs";
  chart.y_logarithmic = true;
  chart.label_width = 150;
  const auto upsweep = [](const bench::Cell& cell) { return cell.row(bench::Who::upsweep); };
  const auto peer = [](const bench::Cell& cell) { return cell.row(bench::Who::peer); };
  for (report::Series& series :
       std::array{series_of(cells, algorithm, 0, bound_of), series_of(cells, algorithm, 1, upsweep),
                  series_of(cells, algorithm, 2, peer)}) {
    if (!series.marks.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string time_of(const bench::Row* row) {
  return row == nullptr ? "–" : fmt::format("{:.4g}", row->median_us);
}

// A line for each length, with the times of the scan, then of the reduce.
Table table_of(std::span<const bench::Cell> cells) {
  Table table{"Times in µs", {"items per row"}, {}};
  for (const char* const call : {"scan", "reduce"}) {
    for (const char* const who : {"memory", "upsweep", "CUB"})
      table.columns.push_back(fmt::format("{}: {}", call, who));
  }
  for (const bench::Cell& cell : cells) {
    const std::string length = base::format_size(cell.problem.row_length);
    auto line = std::ranges::find(table.rows, length, [](const std::vector<std::string>& row) { return row.front(); });
    if (line == table.rows.end()) {
      line = table.rows.insert(line, std::vector<std::string>(table.columns.size(), "–"));
      line->front() = length;
    }
    const auto first = line->begin() + (cell.problem.algorithm == Algorithm::reduce ? 4 : 1);
    std::ranges::copy(std::array{time_of(bound_of(cell)), time_of(cell.row(bench::Who::upsweep)),
                                 time_of(cell.row(bench::Who::peer))},
                      first);
  }
  return table;
}

Drawing draw_rows(const Setting& setting) {
  Measured measured = measure(setting, problems_of_rows(), {});
  Drawing drawing = rows_drawing(measured.cells);
  drawing.notes = std::move(measured.notes);
  return drawing;
}

}  // namespace

Drawing rows_drawing(std::span<const bench::Cell> cells) {
  if (cells.empty()) return {};
  return {{chart_of(cells, Algorithm::inclusive_scan, "Inclusive scan of rows, plus, f32"),
           chart_of(cells, Algorithm::reduce, "Reduce of rows, plus, f32")},
          {table_of(cells)},
          {}};
}

const Figure& rows_figure() {
  static const Figure figure{
      "rows",
      "Time against the length of rows",
      "How long it takes to scan and to reduce 2^26 items of f32 in rows of equal length, each on its own. It should "
      "not "
      "matter how long the rows are. memcpy copies as many bytes as each of them reads and writes. CUB scans "
      "by "
      "key, where the key is the number of the row, and its reduce is the segmented one.",
      "upsweep. CUB: DeviceScan::InclusiveScanByKey, DeviceSegmentedReduce",
      "Median of up to 9 samples, all contestants in turn at each length, cold caches, calls back to back "
      "(as `upsweep bench --mode cold`).",
      true,
      3,
      draw_rows};
  return figure;
}

}  // namespace upsweep::figures
