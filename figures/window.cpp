// The size of the look-back window against the time per tile, with small tiles.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/size.hpp"
#include "figures/drawings.hpp"
#include "figures/measured.hpp"

namespace upsweep::figures {
namespace {

// So many tiles of 512 items that looking back takes most of the time, and no sleep between two looks.
constexpr int size_exponent = 24;
constexpr std::string_view small_tiles = "lookback, threads_per_block=128, items_per_thread=4, delay_nanoseconds=0";
constexpr std::array windows{1, 2, 4, 8, 16, 32, 64, 128};
constexpr std::array<std::string_view, 2> descriptors{"packed", "split"};

Drawing draw_window(const Setting& setting) {
  const std::vector<Problem> problems =
      at_powers_of_two(sum_of_i32(Algorithm::inclusive_scan), size_exponent, size_exponent);
  Measured measured = measure(setting, problems, window_configs());
  Drawing drawing;
  if (!measured.cells.empty()) drawing = window_drawing(measured.cells.front());
  drawing.notes = std::move(measured.notes);
  return drawing;
}

double tiles_of(const bench::Cell& cell, const Config& config) {
  const std::int64_t items = config.integer("threads_per_block") * config.integer("items_per_thread");
  return static_cast<double>((cell.problem.size + items - 1) / items);
}

}  // namespace

std::vector<bench::NamedConfig> window_configs() {
  std::vector<bench::NamedConfig> configs;
  for (const std::string_view descriptor : descriptors) {
    for (const int window : windows) {
      configs.push_back(
          named_config(fmt::format("{}, window {}", descriptor, window),
                       fmt::format("{}, descriptor={}, lookback_window={}", small_tiles, descriptor, window)));
    }
  }
  return configs;
}

Drawing window_drawing(const bench::Cell& cell) {
  report::Chart chart;
  chart.title = fmt::format("Inclusive scan, plus, i32, {}", base::format_items(cell.problem.size));
  chart.x_label = "descriptors in the window";
  chart.y_label = "ns per tile";
  Table table{chart.title, {"descriptor", "window", "items per tile", "time in µs", "ns per tile"}, {}};
  for (const bench::ConfigCell& each : cell.configs) {
    if (!each.row) continue;
    const std::string& descriptor = each.config.name("descriptor");
    const auto window = static_cast<std::uint64_t>(each.config.integer("lookback_window"));
    const double us = each.row->median_us, tiles = tiles_of(cell, each.config), nanoseconds = 1e3 * us / tiles;
    auto line = std::ranges::find(chart.series, descriptor, &report::Series::label);
    if (line == chart.series.end()) {
      line = chart.series.insert(line, {line_style(chart.series.size()), descriptor, {}, false, {}, 0, 0, ""});
    }
    const std::string at = fmt::format("window of {}", window);
    line->marks.push_back({static_cast<double>(window), nanoseconds, at,
                           fmt::format("{}, {}: {:.3g} ns per tile, {:.4g} µs", descriptor, at, nanoseconds, us)});
    table.rows.push_back(
        {descriptor, fmt::format("{}", window),
         fmt::format("{}", each.config.integer("threads_per_block") * each.config.integer("items_per_thread")),
         fmt::format("{:.4g}", us), fmt::format("{:.3g}", nanoseconds)});
  }
  if (chart.series.empty()) return {};
  return {{std::move(chart)}, {std::move(table)}, {}};
}

const Figure& window_figure() {
  static const Figure figure{
      "window",
      "The size of the look-back window",
      "The time per tile of a scan by decoupled look-back whose tiles are so small that looking back takes most of it, "
      "by the number of preceding tiles whose descriptors a warp reads at once: with aggregate, prefix and status in "
      "one word (packed), and in words of their own with fences (split).",
      "Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled Look-back\", NVIDIA Technical Report "
      "NVR-2016-002, 2016, section 4",
      "Median of up to 9 samples, all configs in turn, cold caches, calls back to back; the time of the call divided "
      "by "
      "the number of tiles.",
      true,
      1,
      draw_window};
  return figure;
}

}  // namespace upsweep::figures
