#include "cli/bench_arguments.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/aliases.hpp"

namespace upsweep::cli {
namespace {

// Every value for "all", else the values of the names. Throws UsageError.
template <typename Value>
std::vector<Value> parse_all(const std::vector<std::string>& names, std::span<const Value> all,
                             Value (*parse)(std::string_view)) {
  std::vector<Value> values;
  for (const std::string& name : names) {
    if (name == "all") return {all.begin(), all.end()};
    values.push_back(parse(name));
  }
  return values;
}

// What --grid leaves open is all of it; of operators none, which leaves them to make_grid.
std::vector<std::string> chosen(const std::vector<std::string>& given, bool grid, std::vector<std::string> otherwise,
                                const char* option) {
  if (!given.empty()) return given;
  if (grid) return otherwise;
  throw UsageError(fmt::format("{} is required without --grid; see `upsweep bench --help`", option));
}

// Each once, in the order given.
std::vector<tuning_db::Rung> parse_rungs(const BenchArguments& arguments) {
  std::vector<tuning_db::Rung> rungs;
  for (const tuning_db::Rung rung : parse_all(arguments.rungs, tuning_db::chosen_rungs(), tuning_db::parse_rung)) {
    if (std::ranges::find(rungs, rung) == rungs.end()) rungs.push_back(rung);
  }
  return rungs;
}

}  // namespace

bench::Axes parse_axes(const BenchArguments& arguments) {
  bench::Axes axes;
  axes.algorithms =
      parse_all(chosen(arguments.algorithms, arguments.grid, {"all"}, "ALGORITHM"), all_algorithms(), algorithm_named);
  const bool may_lack_operator = arguments.grid || std::ranges::all_of(axes.algorithms, [](Algorithm algorithm) {
                                   return entry_of(algorithm).usual_operator.has_value();
                                 });
  axes.operators =
      parse_all(chosen(arguments.operators, may_lack_operator, {}, "--op"), all_operators(), operator_named);
  axes.types = parse_all(chosen(arguments.types, arguments.grid, {"all"}, "--type"), all_types(), type_named);
  if (!arguments.accumulate.empty()) axes.accumulator = type_named(arguments.accumulate);
  if (!arguments.output_type.empty()) axes.output = type_named(arguments.output_type);
  if (!arguments.key_type.empty()) axes.key = type_named(arguments.key_type);
  for (const std::string& each : arguments.densities) axes.densities.push_back(density_named(each));
  if (!arguments.accuracies.empty())
    axes.accuracies = parse_all(arguments.accuracies, all_accuracies(), parse_accuracy);
  for (const std::string& each : arguments.row_lengths) axes.row_lengths.push_back(row_length_named(each));
  for (const std::string& each : arguments.row_pitches) axes.row_pitches.push_back(row_pitch_named(each));
  if (!axes.row_pitches.empty() && axes.row_lengths.empty()) {
    throw UsageError("--row-pitch needs the number of items per row: give it with --row-length");
  }
  if (!axes.row_pitches.empty() && !arguments.inners.empty()) {
    throw UsageError("--row-pitch is of rows and --inner of an axis: remove one of them");
  }
  for (const std::string& each : arguments.inners) axes.inners.push_back(inner_named(each));
  if (!axes.inners.empty() && axes.row_lengths.empty()) {
    throw UsageError("--inner needs the number of items along the axis: give it with --row-length");
  }
  for (const std::string& each : arguments.segment_lengths) axes.segment_lengths.push_back(segment_length_named(each));
  if (axes.segment_lengths.empty() && arguments.length_distribution != BenchArguments().length_distribution) {
    throw UsageError("--length-distribution is of segments: give their mean length with --segment-length");
  }
  axes.sizes = base::parse_sizes(arguments.sizes);
  return axes;
}

std::vector<std::uint64_t> default_sizes(const BenchArguments& arguments, Target target) {
  if (arguments.launch_cost) return {1 << 10};
  if (arguments.grid || target == Target::host) return bench::default_grid_sizes(target);
  return {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28};
}

bench::CompareOptions parse_options(const BenchArguments& arguments) {
  bench::CompareOptions options{.samples = arguments.samples,
                                .offset_in = arguments.offset_in,
                                .offset_out = arguments.offset_out,
                                .lengths = tuner::parse_length_distribution(arguments.length_distribution),
                                .modes = parse_all(arguments.modes, bench::all_modes(), bench::parse_mode),
                                .rungs = parse_rungs(arguments)};
  const std::string budget = arguments.cell_budget.empty() && arguments.grid ? "150ms" : arguments.cell_budget;
  if (!budget.empty()) options.budget_us = 1e3 * static_cast<double>(parse_budget(budget).count());
  return options;
}

}  // namespace upsweep::cli
