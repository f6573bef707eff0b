// What tuning earns: the default config against the winner, from the tuning database.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/size.hpp"
#include "bench/summary.hpp"
#include "figures/drawings.hpp"
#include "report/text.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::figures {
namespace {

using report::WinnerRow;
using tuning_db::Database;

Drawing draw_portability(const Setting& setting) {
  const std::filesystem::path& path = setting.engine.database();
  report::Sources sources;
  if (!path.empty() && Database::is_there(path)) {
    setting.progress("reading the database");
    const Database database(path, Database::Mode::read_only);
    sources.trials = database.trials();
    sources.winners = database.winners();
  }
  Drawing drawing = portability_drawing(report::winner_rows(sources));
  if (drawing.charts.empty()) {
    drawing.notes.push_back(fmt::format(
        "Nothing is drawn: {} has no winner with the time of the default beside it. Tune, for example with `upsweep "
        "tune "
        "inclusive_scan --op plus --type i32 --size 2^12..2^28`, then run `upsweep figures --only portability`.",
        path.empty() ? "there is no tuning database, which" : "'" + path.string() + "'"));
  }
  return drawing;
}

struct Speedup {
  std::string device, problem;
  std::uint64_t size = 0;
  double default_us = 0, winner_us = 0;
  [[nodiscard]] double factor() const { return default_us / winner_us; }
};

std::vector<Speedup> speedups_of(std::span<const WinnerRow> rows) {
  std::vector<DeviceIdentity> devices;
  for (const WinnerRow& row : rows) {
    const DeviceIdentity& device = row.winner.trial.device;
    if (std::ranges::find(devices, device) == devices.end()) devices.push_back(device);
  }
  std::vector<Speedup> found;
  for (const WinnerRow& row : rows) {
    if (!row.default_trial) continue;
    const tuning_db::Trial& winner = row.winner.trial;
    const Speedup each{report::distinct_name(winner.device, devices), to_string(winner.problem), winner.problem.size,
                       row.default_trial->median_us(), winner.median_us()};
    if (each.default_us > 0 && each.winner_us > 0) found.push_back(each);
  }
  return found;
}

// A line for each device: its speed-ups in ascending order.
report::Chart chart_of(std::vector<Speedup> all) {
  std::ranges::stable_sort(all, {}, [](const Speedup& each) { return std::tuple(each.device, each.factor()); });
  report::Chart chart;
  chart.title = "Time of the default divided by the time of the winner";
  chart.x_label = "problems and sizes, in ascending order";
  chart.y_label = "speed-up";
  chart.x_sizes = false;
  chart.y_reference = 1;
  chart.label_width = 120;
  for (const Speedup& each : all) {
    if (chart.series.empty() || chart.series.back().label != each.device) {
      chart.series.push_back({line_style(chart.series.size()), each.device, {}, false, {}, 0, 0, ""});
    }
    std::vector<report::Mark>& marks = chart.series.back().marks;
    const std::string at = fmt::format("{}, {}", each.problem, base::format_items(each.size));
    marks.push_back(
        {static_cast<double>(marks.size() + 1), each.factor(), at,
         fmt::format("{}: {:.2f}, {:.4g} and {:.4g} µs", at, each.factor(), each.default_us, each.winner_us)});
  }
  return chart;
}

Table table_of(const std::vector<Speedup>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<const Speedup*>> problems;
  for (const Speedup& each : all) problems[{each.device, each.problem}].push_back(&each);
  Table table{"Time of the default divided by the time of the winner, over the sizes of a problem",
              {"device", "problem", "sizes", "geometric mean", "lowest", "highest", "at"},
              {}};
  for (const auto& [key, sizes] : problems) {
    std::vector<double> factors;
    for (const Speedup* each : sizes) factors.push_back(each->factor());
    const auto [lowest, highest] = std::ranges::minmax_element(factors);
    table.rows.push_back({key.first, key.second, fmt::format("{}", sizes.size()),
                          fmt::format("{:.2f}", bench::geometric_mean(factors)), fmt::format("{:.2f}", *lowest),
                          fmt::format("{:.2f}", *highest),
                          base::format_size(sizes[static_cast<std::size_t>(highest - factors.begin())]->size)});
  }
  return table;
}

}  // namespace

Drawing portability_drawing(std::span<const WinnerRow> rows) {
  const std::vector<Speedup> all = speedups_of(rows);
  if (all.empty()) return {};
  return {{chart_of(all)}, {table_of(all)}, {}};
}

const Figure& portability_figure() {
  static const Figure figure{
      "portability",
      "What tuning earns",
      "How much faster the tuned config is than the built-in default, for each problem and size that was tuned, in "
      "ascending order. CUB chooses its tuning when it is built; upsweep measures it on the device.",
      "Merrill, \"CUB: A Pattern of 'Collective' Software Design, Abstraction, and Reuse for Kernel-level "
      "Programming\", "
      "NVIDIA GTC: performance portability",
      "From the tuning database. Default and winner were measured in one tuning session.",
      false,
      0,
      draw_portability};
  return figure;
}

}  // namespace upsweep::figures
