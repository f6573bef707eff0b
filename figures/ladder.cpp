// The reduction ladder: each step's table at one size, and times against size.
#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/size.hpp"
#include "figures/drawings.hpp"
#include "figures/measured.hpp"
#include "generator/space.hpp"

namespace upsweep::figures {
namespace {

constexpr int least_ladder_exponent = 17, most_ladder_exponent = 25;
constexpr std::uint64_t table_size = std::uint64_t{1} << 24;

constexpr std::string_view step_parameter = "step";

// The values of the schedule's parameter, in the order of the slides.
constexpr std::array<std::string_view, 10> steps{"interleaved_divergent",
                                                 "interleaved_strided",
                                                 "sequential",
                                                 "first_add",
                                                 "unrolled_warp",
                                                 "unrolled",
                                                 "multiple_items",
                                                 "shuffles",
                                                 "redux",
                                                 "bulk_copies"};

Drawing draw_ladder(const Setting& setting) {
  std::vector<bench::NamedConfig> configs;
  for (const std::string_view step : steps) {
    configs.push_back(named_config(std::string(step), fmt::format("ladder, {}={}", step_parameter, step)));
  }
  const std::vector<Problem> problems =
      at_powers_of_two(sum_of_i32(Algorithm::reduce), least_ladder_exponent, most_ladder_exponent);
  Measured measured = measure(setting, problems, std::move(configs));
  Drawing drawing = ladder_drawing(measured.cells, table_size);
  std::ranges::move(measured.notes, std::back_inserter(drawing.notes));
  return drawing;
}

void add_mark(report::Chart& chart, std::size_t style, const std::string& label, std::uint64_t size,
              const bench::Row* row) {
  if (row == nullptr) return;
  auto line = std::ranges::find(chart.series, label, &report::Series::label);
  if (line == chart.series.end()) {
    line = chart.series.insert(line, {line_style(style), label, {}, false, {}, 0, 0, ""});
  }
  line->marks.push_back(
      mark_at(size, row->median_us,
              fmt::format("{}, {:.4g} µs, {:.4g} GB/s", label, row->median_us, row->gigabytes_per_second)));
}

std::vector<std::string> cells_of(const std::string& name, double us, double gigabytes_per_second) {
  return {name, fmt::format("{:.4g}", us), fmt::format("{:.4g}", gigabytes_per_second)};
}

Table table_of(const bench::Cell& cell) {
  Table table{fmt::format("Reduce, plus, i32, {}", base::format_items(cell.problem.size)),
              {"step", "time in µs", "GB/s", "step speedup", "cumulative speedup"},
              {}};
  for (const LadderStep& step : ladder_steps(cell)) {
    std::vector<std::string> row = cells_of(step.name, step.us, step.gigabytes_per_second);
    const bool is_first = table.rows.empty();
    row.push_back(is_first ? "" : fmt::format("{:.2f}", step.step_speedup));
    row.push_back(is_first ? "" : fmt::format("{:.2f}", step.cumulative_speedup));
    table.rows.push_back(std::move(row));
  }
  const std::vector<LadderStep> timed = ladder_steps(cell);
  for (const bench::Who who : {bench::Who::upsweep, bench::Who::peer, bench::Who::plain_read}) {
    const bench::Row* const row = cell.row(who);
    if (row == nullptr) continue;
    std::vector<std::string> texts =
        cells_of(who == bench::Who::upsweep ? "best" : row->label, row->median_us, row->gigabytes_per_second);
    texts.emplace_back("");
    texts.push_back(timed.empty() ? "" : fmt::format("{:.2f}", timed.front().us / row->median_us));
    table.rows.push_back(std::move(texts));
  }
  return table;
}

}  // namespace

std::vector<LadderStep> ladder_steps(const bench::Cell& cell) {
  std::vector<LadderStep> found;
  for (const bench::ConfigCell& each : cell.configs) {
    if (!each.row) continue;
    LadderStep step{each.label, each.row->median_us, each.row->gigabytes_per_second};
    if (!found.empty()) {
      step.step_speedup = found.back().us / step.us;
      step.cumulative_speedup = found.front().us / step.us;
    }
    found.push_back(std::move(step));
  }
  return found;
}

Drawing ladder_drawing(std::span<const bench::Cell> cells, std::uint64_t size) {
  Drawing drawing;
  report::Chart chart;
  chart.title = "Reduce, plus, i32";
  chart.x_label = "items";
  chart.y_label = "time in µs";
  chart.y_logarithmic = true;
  chart.label_width = 170;
  for (const bench::Cell& cell : cells) {
    std::size_t style = 0;
    for (const bench::ConfigCell& each : cell.configs) {
      add_mark(chart, style++, each.label, cell.problem.size, cell.config_row(each.label));
    }
    add_mark(chart, style, "best", cell.problem.size, cell.row(bench::Who::upsweep));
    if (cell.problem.size == size) drawing.tables.push_back(table_of(cell));
  }
  if (!chart.series.empty()) drawing.charts.push_back(std::move(chart));
  if (drawing.tables.empty()) {
    drawing.notes.push_back(fmt::format("There is no table: {} were not measured.", base::format_items(size)));
  }
  return drawing;
}

const Figure& ladder_figure() {
  static const Figure figure{
      "ladder",
      "The reduction ladder",
      "A sum of i32 by the steps of Harris' slides, from a tree whose threads diverge to several items per thread, and "
      "by three steps that came later (shuffles, redux and bulk copies). Each step keeps what the steps before it have "
      "gained. The "
      "best is the config that upsweep chooses; a plain read only reads the items.",
      "Harris, \"Optimizing Parallel Reduction in CUDA\", NVIDIA, 2007, table \"Performance for 4M element reduction\" "
      "and chart \"Performance Comparison\"",
      "Median of up to 9 samples, all steps in turn at each size, cold caches, calls back to back. The schedule is "
      "`ladder` with its default number of threads per block.",
      true,
      4,
      draw_ladder};
  return figure;
}

}  // namespace upsweep::figures
