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

// A few lanes, a warp or a block for each row, as long as all multiprocessors have several rows. 2^26 items of f32 take
// 90 us in 512 rows, 91 us in 256, 109 us in 128 and 168 us in 64 rows so, and 90 to 92 us in pieces (H100,
// 2026-11-26).
const char* default_fold_of_rows(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t short_row = 16 << 10, rows_each = 4;
  const auto multiprocessors = static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
  const bool is_short = bytes_of(problem.row_length, problem.input) < short_row;
  return is_short || rows_of(problem, problem.size) >= rows_each * multiprocessors ? "row_groups" : "row_pieces";
}

// Segments that groups of threads take on their own, without a search. A long one makes its block late, but not by much
// where there are few items in all: half of 2^14 and 2^16 items of f32 in one segment are reduced in 6.2 and 21 us so,
// by merge_path in 7.8 and 10 us, and scanned in 12 and 42 us. With lengths around 64, 2^16 items are reduced in 3.5 us
// so and in 8.6 us by merge_path, and 2^12 items are scanned in 2.6 us, by lookback in 3.3 us (H100, driver 580.159.04,
// 2026-11-27).
bool has_few_items_of_segments(const Problem& problem) {
  constexpr std::uint64_t few_items_to_fold = 1 << 16, few_items_to_scan = 1 << 13, long_segment = 1 << 11;
  const bool folds = is_fold_of_segments(problem);
  const std::uint64_t short_segment = folds ? 2 : 8;  // below, most segments are empty, or a few are long for a group
  return problem.size <= (folds ? few_items_to_fold : few_items_to_scan) && problem.row_length >= short_segment &&
         problem.row_length <= long_segment;
}

// Stages of shared memory, where there are enough tiles to fill them: 2^22 items of f32 in segments of 16 take 19.5 us
// by segment_pieces and 19.0 us by merge_path, and 2^24 items 41.0 and 46.8 us (H200, driver 580.159.04, 2026-11-26).
const char* default_fold_of_segments(const Problem& problem, const DeviceLimits& limits) {
  if (has_few_items_of_segments(problem)) return "segment_groups";
  constexpr std::uint64_t large = 16 << 20;
  const bool is_large = limits.compute_capability >= 90 && bytes_of(problem.size, problem.input) >= large;
  return is_large && find_schedule(problem, "segment_pieces").supports(problem) ? "segment_pieces" : "merge_path";
}

// Whether a block scans whole rows with that config.
bool is_shorter_than_tiles(const Problem& problem, const Config& row_blocks) {
  const auto tile = row_blocks.integer("threads_per_block") * row_blocks.integer("items_per_thread");
  return problem.row_length <= static_cast<std::uint64_t>(tile);
}

// Whether a tile of the schedule axis_lookahead has rows of several axes, and these are so narrow that neighbouring
// threads of other schedules load pieces of a few bytes, or begin within sectors of 32 bytes. 2^26 items of f32 along
// axes of 16, 64 and 256 x 3 take 141 to 144 us so, and along those of 16, 64 and 256 x 67 141 to 153 us; by the other
// schedules 330 to 1,033 us, and 242 to 274 us. Where rows are whole sectors, they take 3% longer than by a thread for
// each column. Items of 1 and 2 bytes are worth it in narrower rows (H200, driver 580.159.04, 2026-11-26), or in uneven
// ones: as many items of i8 and f16 along axes of 64 x 67 take 61 and 101 us so, and 169 and 209 us by a thread for
// each column (H100, 2026-11-27).
bool has_narrow_short_axes(const Problem& problem) {
  constexpr std::uint64_t most_very_narrow = 12;
  const bool is_very_narrow = problem.inner <= most_very_narrow, is_uneven = has_uneven_rows(problem);
  const std::uint64_t few_bytes = is_very_narrow ? 4 << 20 : 16 << 20, short_axis = is_very_narrow ? 2048 : 512;
  const std::size_t item = size_of(problem.input);
  const std::uint64_t narrow = item >= 4 ? 256 : is_uneven ? 64 * item : item == 2 ? 64 : 8;
  return bytes_of(problem.inner, problem.input) <= narrow && problem.row_length <= short_axis &&
         input_bytes(problem, problem.size) >= few_bytes;
}

// Whether narrow rows are those of long axes, whose tiles follow each other in few chains. By the schedules
// axis_lookahead and axis_panels, 2^26 items of f32 along an axis of 2^22 x 16 take 197 and 218 us, half as many of f64
// along axes of 2^16 x 16 198 and 232 us, and 2^22 of f32 along axes of 2^20 x 4 19.6 and 26 us. Several axes of
// 2^16 x 64 take 1% longer. Items of 1 and 2 bytes take more instructions per byte: 2^26 of i8 along an axis of 2^24 x
// 4 take 67 and 75 us, but along 256 axes of 2^16 x 4 64 and 57 us (H100, driver 580.159.04, 2026-11-27).
bool has_narrow_long_axes(const Problem& problem) {
  constexpr std::uint64_t long_axis = 1 << 15, few_bytes = 16 << 20, narrow = 256, few_axes = 4, few_small_items = 4;
  const std::uint64_t axes = rows_of(problem, problem.size) / std::max<std::uint64_t>(problem.inner, 1);
  const bool has_small_items = size_of(problem.input) < 4;
  const bool is_measured = !has_small_items || (axes <= few_axes && problem.inner <= few_small_items);
  return bytes_of(problem.inner, problem.input) <= narrow && problem.row_length >= long_axis &&
         input_bytes(problem, problem.size) >= few_bytes && is_measured;
}

// Few items in blocks that have all rows of their columns (generator/schedules/scan_axis_blocks.cpp). Otherwise a
// thread for each column, where there are enough of them, or where columns are short. Where few items are behind the
// axis, neighbouring threads would load pieces of a few bytes.
const char* default_scan_along_axis(const Problem& problem, const DeviceLimits& limits, bool has_lookahead) {
  constexpr std::uint64_t columns_each = 512, short_column = 16, most_few_behind = 12;
  constexpr std::uint64_t few_items = 1 << 20, few_bytes = 4 << 20, few_rows = 1 << 10;
  if (problem.size <= few_items && bytes_of(problem.size, problem.input) <= few_bytes &&
      problem.row_length <= few_rows) {
    return "axis_blocks";
  }
  if (has_lookahead && (has_narrow_short_axes(problem) || has_narrow_long_axes(problem))) return "axis_lookahead";
  const auto multiprocessors = static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
  const bool has_many_columns = rows_of(problem, problem.size) >= columns_each * multiprocessors;
  const bool is_narrow = problem.inner <= most_few_behind;
  return (has_many_columns && !is_narrow) || problem.row_length <= short_column ? "axis_columns" : "axis_panels";
}

// Few items in blocks that have all rows of their columns. Where rows are narrow, neighbouring ones are loaded as they
// lie in memory: 2^26 items of f32 along axes of 64 x 3 take 73 us so and 145 us in pieces, 65536 x 67 75 and 85 us, 4
// x 67 92 and 230 us. Fewer than 2^21 items take longer so, and in rows that are wider than two panels, 170 us instead
// of 72 us (H200, driver 580.159.04, 2026-11-26). One block of each multiprocessor folds about 40 GB/s, which is less
// than others have in a part of a GPU.
const char* default_fold_along_axis(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t few_items = 1 << 16, few_rows = 1 << 12, many_items = 1 << 21, narrow = 128;
  constexpr double fast = 75;  // GB/s
  if (problem.size <= few_items && problem.row_length <= few_rows) return "axis_blocks";
  const bool is_measured =
      limits.compute_capability >= 90 && problem.accuracy == Accuracy::plain && bandwidth_each(limits) <= fast;
  return is_measured && problem.size >= many_items && problem.inner <= narrow ? "axis_shares" : "axis_pieces";
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
  const bool has_axis_lookahead =
      limits_.compute_capability >= 90 &&
      std::ranges::any_of(schedules_, [](const Schedule* schedule) { return schedule->name() == "axis_lookahead"; });
  const char* const schedule = !is_folded(problem)          ? "independent_tiles"
                               : problem.unordered_segments ? "segment_groups"
                               : is_scanned(problem)        ? default_scan(bytes)
                               : is_fold_of_rows(problem)   ? default_fold_of_rows(problem, limits_)
                               : is_scan_along_axis(problem)
                                   ? default_scan_along_axis(problem, limits_, has_axis_lookahead)
                               : is_fold_along_axis(problem)    ? default_fold_along_axis(problem, limits_)
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
  if (can_look_ahead && is_large) return "lookahead";
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
