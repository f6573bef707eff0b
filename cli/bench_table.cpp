#include "cli/bench_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/count.hpp"

namespace upsweep::cli {
namespace {

using bench::Cell;
using bench::Who;

// The launch of an empty kernel says something about small problems only.
constexpr std::uint64_t small = std::uint64_t{1} << 16;

// With that many decimals, or with as many more as two significant digits take.
std::string decimal(double value, int decimals) {
  constexpr int most_decimals = 12;
  while (value > 0 && decimals < most_decimals && value < 9.5 * std::pow(10, -decimals)) ++decimals;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string ratio_text(const Cell& cell, Who who) {
  if (who == Who::empty_kernel && cell.problem.size > small) return "";
  const std::optional<double> ratio = bench::ratio(cell, who);
  return ratio ? decimal(*ratio, 2) : "";
}

std::string describe(const char* what, const std::optional<bench::Standing>& standing) {
  if (!standing) return "";
  return fmt::format("  {:<8} {:.3f} over {} ({} below 1); the lowest is {:.2f}: {}, {}\n", what,
                     standing->geometric_mean, counted(static_cast<std::uint64_t>(standing->cells), "cell"),
                     standing->below_one, standing->worst, to_string(standing->worst_problem),
                     base::format_items(standing->worst_problem.size));
}

std::string line(std::string_view problem, std::string_view size, std::string_view mode, std::string_view rung,
                 std::string_view time, std::string_view throughput, const std::array<std::string, 6>& ratios,
                 const std::string& of_rungs) {
  std::string text =
      fmt::format("{:<33} {:>9}  {:<17} {:<12} {:>9} {:>5}", problem, size, mode, rung, time, throughput);
  for (const std::string& ratio : ratios) text += fmt::format(" {:>7}", ratio);
  text += of_rungs;
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

// The column of a rung: as wide as its name, and as those of contestants.
std::string column(tuning_db::Rung rung, std::string_view text) {
  return fmt::format("  {:>{}}", text, std::max<std::size_t>(tuning_db::name(rung).size(), 7));
}

std::string ratio_text(const Cell& cell, const bench::RungCell& rung) {
  const bench::Row* const own = cell.row(Who::upsweep);
  if (!rung.row) return "none";
  return own != nullptr && own->median_us > 0 ? decimal(rung.row->median_us / own->median_us, 2) : "";
}

std::string row_text(const bench::Row& row, const std::string& ratio) {
  return fmt::format("  {:<16} {:>9}  [{:>9} .. {:>9}]  {:>8}  {}x\n", row.label, format_time(row.median_us),
                     format_time(row.lower_quartile_us), format_time(row.upper_quartile_us),
                     decimal(row.gigabytes_per_second, 1), ratio);
}

}  // namespace

std::string describe(const Cell& cell, const std::string& config) {
  std::string text = fmt::format("{}, {}, {} ({}: {})\n", to_string(cell.problem),
                                 base::format_items(cell.problem.size), bench::name(cell.mode), cell.rung, config);
  text += fmt::format("  {:<16} {:>9}  {:<24}  {:>8}  time divided by the time of upsweep\n", "contestant", "median",
                      "[quartiles]", "GB/s");
  for (const bench::Row& row : cell.rows) {
    text += row_text(row, decimal(bench::ratio(cell, row.who).value_or(1), 2));
  }
  return text;
}

std::string describe_rungs(const Cell& cell, const std::function<std::string(const Config& config)>& text_of) {
  std::string text;
  for (const bench::RungCell& rung : cell.rungs) {
    if (rung.row) {
      text += row_text(*rung.row, ratio_text(cell, rung));
      text += fmt::format("    {}\n    {}\n", rung.choice.reason, text_of(*rung.choice.config));
    } else {
      text += fmt::format("  {:<16} {:>9}  {}\n", tuning_db::name(rung.choice.rung), "none", rung.choice.reason);
    }
  }
  return text.empty() ? text : "  of the rungs:\n" + text;
}

std::string grid_header(std::span<const tuning_db::Rung> rungs) {
  std::string of_rungs;
  for (const tuning_db::Rung rung : rungs) of_rungs += column(rung, tuning_db::name(rung));
  return fmt::format("{:<93}time divided by the time of upsweep\n", "") +
         line("problem", "items", "mode", "rung", "upsweep", "GB/s",
              {"default", "CUB", "memcpy", "copy", "read", "empty"}, of_rungs);
}

std::string grid_line(const Cell& cell) {
  const bench::Row* const own = cell.row(Who::upsweep);
  std::string of_rungs;
  for (const bench::RungCell& each : cell.rungs) of_rungs += column(each.choice.rung, ratio_text(cell, each));
  return line(
      to_string(cell.problem), base::format_size(cell.problem.size), bench::name(cell.mode), cell.rung,
      format_time(own->median_us), decimal(own->gigabytes_per_second, 0),
      {ratio_text(cell, Who::upsweep_default), ratio_text(cell, Who::peer), ratio_text(cell, Who::memcpy),
       ratio_text(cell, Who::plain_copy), ratio_text(cell, Who::plain_read), ratio_text(cell, Who::empty_kernel)},
      of_rungs);
}

std::string describe(const bench::Summary& summary) {
  const std::string standings = describe("scans", summary.scans) + describe("reduces", summary.reduces) +
                                describe("compact", summary.compact) + describe("differences", summary.differences);
  if (standings.empty()) return "";
  return fmt::format("time of CUB divided by the time of upsweep, geometric mean, {}:\n{}", bench::name(summary.mode),
                     standings);
}

std::string describe_launch_cost(const Problem& problem, const std::vector<bench::Row>& rows) {
  std::string text = fmt::format("host time of a call, {}, {}\n", to_string(problem), base::format_items(problem.size));
  for (const bench::Row& row : rows) {
    text +=
        fmt::format("  {:<16} {:7.0f} ns  [{:.0f} .. {:.0f}]  {:.2f}x\n", row.label, row.median_us * 1e3,
                    row.lower_quartile_us * 1e3, row.upper_quartile_us * 1e3, row.median_us / rows.back().median_us);
  }
  return text;
}

}  // namespace upsweep::cli
