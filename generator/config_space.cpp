#include <upsweep/config_space.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/device_limits.hpp"
#include "generator/names.hpp"
#include "generator/nearest_config.hpp"
#include "generator/schedule.hpp"
#include "generator/selections.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

std::vector<std::string> texts_of(const std::vector<ParameterValue>& values) {
  std::vector<std::string> texts;
  for (const ParameterValue& value : values) texts.push_back(to_string(value));
  return texts;
}

const Parameter* find(const std::vector<Parameter>& parameters, std::string_view name) {
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const Parameter& parameter) { return parameter.name == name; });
  return at == parameters.end() ? nullptr : &*at;
}

// Empty, or why the value is none of the parameter's.
std::string value_violation(const Parameter& parameter, const ParameterValue& value) {
  if (std::find(parameter.values.begin(), parameter.values.end(), value) != parameter.values.end()) return {};
  const std::vector<std::string> known = texts_of(parameter.values);
  const std::string text = to_string(value);
  const bool is_text = std::holds_alternative<std::string>(value);
  const bool wants_text = std::holds_alternative<std::string>(parameter.values.front());
  if (is_text != wants_text) {
    const std::string given = is_text ? fmt::format("the text \"{}\"", base::clipped(text)) : "the number " + text;
    return fmt::format("{} takes a {}, not {}: use one of {}{}", parameter.name, wants_text ? "name" : "number", given,
                       fmt::join(known, ", "), is_text ? ", without quotes" : "");
  }
  return fmt::format("{}={} is not valid: {}use one of {}", parameter.name, base::clipped(text),
                     is_text ? did_you_mean(text, known) : "", fmt::join(known, ", "));
}

// A problem of the same algorithm for which the schedule has a parameter of that name.
std::optional<Problem> problem_with(const std::string& name, const Schedule& schedule, const Problem& problem) {
  for (const Operator op : all_operators()) {
    for (const Type type : all_types()) {
      const Problem other = make_problem(problem.algorithm, op, type, type, problem.size);
      try {
        validate(other);
      } catch (const UsageError&) {
        continue;
      }
      if (schedule.supports(other) && find(schedule.parameters(other), name) != nullptr) return other;
    }
  }
  return std::nullopt;
}

// A parameter that the schedule does not have: others may, or it may for other problems.
std::string unknown_parameter(const std::string& name, const Schedule& schedule, const Problem& problem,
                              const std::vector<Parameter>& parameters) {
  std::vector<std::string> known, owners;
  for (const Parameter& parameter : parameters) known.push_back(parameter.name);
  for (const Schedule* other : all_schedules()) {
    if (other->supports(problem) && find(other->parameters(problem), name) != nullptr) {
      owners.emplace_back(other->name());
    }
  }
  const std::string text = unknown_name("parameter", name, known, fmt::format("of schedule {}", schedule.name()));
  if (!owners.empty()) return fmt::format("{}; {} is a parameter of schedule {}", text, name, fmt::join(owners, ", "));
  const std::optional<Problem> other = problem_with(name, schedule, problem);
  return other
             ? fmt::format("{}; this schedule has {} for other problems, for example {}", text, name, to_string(*other))
             : text;
}

// Values that are no value of their parameter, parameters that the schedule lacks, and those that are left out.
std::vector<std::string> membership_violations(const Schedule& schedule, const Problem& problem, const Config& config) {
  const std::vector<Parameter> parameters = schedule.parameters(problem);
  std::vector<std::string> violations;
  for (const auto& [name, value] : config.values) {
    const Parameter* parameter = find(parameters, name);
    std::string violation = parameter == nullptr ? unknown_parameter(name, schedule, problem, parameters)
                                                 : value_violation(*parameter, value);
    if (!violation.empty()) violations.push_back(std::move(violation));
  }
  for (const Parameter& parameter : parameters) {
    if (config.values.contains(parameter.name)) continue;
    violations.push_back(fmt::format("parameter {} is missing: set it to one of {}", parameter.name,
                                     fmt::join(texts_of(parameter.values), ", ")));
  }
  return violations;
}

// Where lookahead reduces by key faster than lookback on an H200: values of 4 bytes by keys of 4, and integers of 8
// bytes by keys of 4 or 8, from 64 MiB of input on. Sums of f64 by u32 take a quarter longer, and values narrower than
// their keys were slower, too (docs/notes/performance-notes.md).
bool is_large_by_key(const Problem& problem) {
  constexpr std::uint64_t large = 64 << 20;
  const std::size_t value = size_of(problem.accumulator), key = size_of(*problem.key);
  const bool is_measured =
      size_of(problem.input) == value &&
      ((value == 4 && key == 4) || (value == 8 && is_integer(problem.accumulator) && (key == 4 || key == 8)));
  return is_measured && input_bytes(problem, problem.size) >= large;
}

// Whether a block scans whole rows with that config.
bool is_shorter_than_tiles(const Problem& problem, const Config& row_blocks) {
  const auto tile = row_blocks.integer("threads_per_block") * row_blocks.integer("items_per_thread");
  return problem.row_length <= static_cast<std::uint64_t>(tile);
}

}  // namespace

ConfigSpace::ConfigSpace(const Problem& problem, const DeviceLimits& limits) : problem_(problem), limits_(limits) {
  upsweep::validate(problem);
  for (const Schedule* schedule : all_schedules()) {
    if (schedule->supports(problem)) schedules_.push_back(schedule);
  }
}

std::vector<ScheduleInfo> ConfigSpace::describe() const {
  std::vector<ScheduleInfo> infos;
  for (const Schedule* schedule : schedules_) {
    infos.push_back({.name = std::string(schedule->name()),
                     .meaning = std::string(schedule->meaning()),
                     .source = std::string(schedule->source()),
                     .parameters = schedule->parameters(problem_),
                     .constraints = schedule->constraints(problem_),
                     .default_config = schedule->defaults(of_classes(problem_), limits_)});
  }
  return infos;
}

std::vector<std::string> ConfigSpace::violations(const Config& config) const {
  const Schedule* schedule = nullptr;
  try {
    schedule = &find_schedule(problem_, config.schedule);
  } catch (const UsageError& error) {
    return {error.what()};
  }
  std::vector<std::string> violations = membership_violations(*schedule, problem_, config);
  return violations.empty() ? schedule->violations(problem_, config, limits_) : violations;
}

void ConfigSpace::validate(const Config& config) const {
  const std::vector<std::string> found = violations(config);
  if (!found.empty()) throw UsageError("invalid config for " + to_string(problem_) + ": " + found.front());
}

Config ConfigSpace::default_config() const {
  const Problem problem = of_classes(problem_);
  const std::uint64_t bytes = bytes_of(problem.size, problem.input);
  const auto has = [&](std::string_view name) {
    return limits_.compute_capability >= 90 &&
           std::ranges::any_of(schedules_, [&](const Schedule* schedule) { return schedule->name() == name; });
  };
  const char* const schedule =
      !is_folded(problem)          ? "independent_tiles"
      : problem.unordered_segments ? "segment_groups"
      : is_scanned(problem)        ? default_scan(bytes)
      : is_fold_of_rows(problem)   ? default_fold_of_rows(problem, limits_)
      : is_scan_along_axis(problem)
          ? default_scan_along_axis(problem, limits_, {has("lookahead"), has("axis_lookahead"), has("axis_pipeline")})
      : is_fold_along_axis(problem)    ? default_fold_along_axis(problem, limits_, has("axis_pipeline"))
      : is_fold_of_segments(problem)   ? default_fold_of_segments(problem, limits_)
      : bytes <= 64 << 10              ? "single_block"
      : feeds_unevenly(limits_, bytes) ? "last_block"
                                       : "last_started";
  return complete({.schedule = schedule, .values = {}});
}

// Crossovers measured on an H200 (docs/measurements.md, "Defaults"), in bytes of input and in items.
const char* ConfigSpace::default_scan(std::uint64_t bytes) const {
  const Problem problem = of_classes(problem_);
  if (is_scan_of_segments(problem) && has_few_items_of_segments(problem)) return "segment_groups";
  const std::size_t width = size_of(problem.input);
  const bool is_new = limits_.compute_capability >= 90;
  const std::uint64_t single_block_bytes = !is_new ? 32 << 10 : width > 8 ? 8 << 10 : 16 << 10;
  const bool is_plain_scan = is_dense(problem) && entry_of(problem).fold == Fold::values;
  const std::uint64_t cluster_bytes = width == 4 || (width == 8 && is_plain_scan) ? 32 << 10 : width > 8 ? 16 << 10 : 0;
  const std::uint64_t lookahead_items = width == 1 ? (1 << 20) + 1 : 1 << 21;
  constexpr std::uint64_t few_items = 1 << 13, single_tile_items = 1 << 11, lookahead_bytes = 6 << 20;
  // Other schedules count the items of a stable partition in a step of its own, which costs 3 us and more.
  if (is_new && entry_of(problem).counts_first) {
    if (bytes <= 8 << 10) return "single_block";
    if (bytes <= 128 << 10) return "cluster";
  }
  // No block waits for another: as many as there are tiles, where rows are shorter, or where there are many.
  const bool has_many_rows =
      problem.shape == Shape::rows &&
      (rows_of(problem, problem.size) >= static_cast<std::uint64_t>(std::max(limits_.multiprocessors, 1)) ||
       ((problem.row_length <= single_tile_items || problem.size > few_items) &&
        is_shorter_than_tiles(problem, find_schedule(problem, "row_blocks").defaults(problem, limits_))));
  const bool scans_rows_apart = has_many_rows && problem.size > single_tile_items;
  // With gaps: shorter rows take fewer instructions in tiles of several. 2^26 items of f32 in rows of 7 take 815 us
  // with a pitch of 64 in tiles, and 1,225 us by groups; in rows of 16 they take 408 and 236 us (H200, driver
  // 580.159.04, 2026-11-26).
  constexpr std::uint64_t short_row = 16;
  if (has_pitch(problem) && scans_rows_apart) return problem.row_length < short_row ? "row_blocks" : "row_groups";
  if (problem.size <= few_items && bytes <= single_block_bytes && !scans_rows_apart) return "single_block";
  if (!is_new) return has_many_rows ? "row_blocks" : "lookback";
  if (problem.size <= few_items && bytes <= cluster_bytes && !scans_rows_apart) return "cluster";
  const bool can_look_ahead = std::any_of(schedules_.begin(), schedules_.end(),
                                          [](const Schedule* schedule) { return schedule->name() == "lookahead"; });
  // In parts of 8, 16 and 32 multiprocessors, 2^20 items of i8 take 0.18 to 0.56 of the time of all_aggregates, and in
  // parts of 8 and 16, as many items of 4 bytes 0.75 to 0.78 of it.
  const std::uint64_t many_items_each = width == 1 ? 1 << 15 : 1 << 16;
  const bool has_many_each = limits_.multiprocessors > 0 &&
                             problem.size / static_cast<std::uint64_t>(limits_.multiprocessors) >= many_items_each;
  const bool is_large = entry_of(problem).fold == Fold::counted_values && problem.key
                            ? is_large_by_key(problem)
                            : problem.size >= lookahead_items || bytes >= lookahead_bytes || has_many_each;
  if (has_many_rows && has_some_wide_rows(problem) && !has_many_each) return "row_blocks";
  if (can_look_ahead && (is_large || looks_ahead_in_few_segments(problem))) return "lookahead";
  if (has_many_rows) return "row_blocks";
  if (counts_few_items(problem)) return "all_aggregates";
  const std::uint64_t all_aggregates_bytes = width == 1 ? 1 << 20 : 512 << 10;
  return bytes >= all_aggregates_bytes && find_schedule(problem, "all_aggregates").suits(problem) ? "all_aggregates"
                                                                                                  : "lookback";
}

Config ConfigSpace::resolve(const Config& partial) const {
  Config named = partial;
  if (named.schedule.empty()) named.schedule = default_config().schedule;
  Config config = complete_around(named);
  validate(config);
  return config;
}

Config ConfigSpace::complete(const Config& partial) const {
  Config config = find_schedule(problem_, partial.schedule).defaults(of_classes(problem_), limits_);
  for (const auto& [name, value] : partial.values) config.values.insert_or_assign(name, value);
  return config;
}

Config ConfigSpace::complete_around(const Config& given) const {
  const Config start = complete(given);
  const std::vector<Parameter> parameters = find_schedule(problem_, given.schedule).parameters(problem_);
  // Values that are none of their parameters cannot be mended by others.
  if (violations(start).empty() ||
      !membership_violations(find_schedule(problem_, given.schedule), problem_, start).empty()) {
    return start;
  }
  return nearest_config(*this, parameters, start, given).value_or(start);
}

}  // namespace upsweep
