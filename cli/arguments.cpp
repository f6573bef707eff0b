#include "cli/arguments.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "base/size.hpp"
#include "base/text.hpp"
#include "cli/run_arguments.hpp"
#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/aliases.hpp"
#include "generator/config_json.hpp"
#include "generator/problem_json.hpp"
#include "generator/shape.hpp"
#include "generator/short_config.hpp"
#include "generator/space.hpp"

namespace upsweep::cli {

std::string algorithm_list() {
  std::vector<std::string_view> names;
  for (const Algorithm algorithm : all_algorithms()) names.push_back(name(algorithm));
  return fmt::format("{}", fmt::join(names, ", "));
}

Density density_named(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value >= 0 && value <= 1) return density_class(value);
  throw UsageError(fmt::format("density '{}' is not a number from 0 to 1: give results per item, as in --density 0.01",
                               base::clipped(text)));
}

namespace {

// The size that an option names. 0 is refused: `otherwise` says why, and what to use in its place.
std::uint64_t positive_named(const std::string& option, const std::string& text, const char* otherwise) {
  const std::uint64_t size = of_option(option, [&] { return base::parse_size(text); });
  if (size > 0) return size;
  throw UsageError(fmt::format("{} 0: {}", option, otherwise));
}

}  // namespace

std::uint64_t row_length_named(const std::string& text) {
  return positive_named("--row-length", text, "a row has at least one item; use the number of items per row");
}

std::uint64_t row_pitch_named(const std::string& text) {
  return positive_named("--row-pitch", text,
                        "neighbouring rows begin at least a row's length apart; use the number of items from the begin "
                        "of a row to that of the next one");
}

std::uint64_t inner_named(const std::string& text) {
  return positive_named("--inner", text,
                        "neighbours along an axis are at least one item apart; use the product of the extents behind "
                        "the axis");
}

std::uint64_t segment_length_named(const std::string& text) {
  return positive_named("--segment-length", text, "segments have at least one item on average; use 1 for shorter ones");
}

void ProblemArguments::add_to(CLI::App& verb, Need need) {
  verb.add_option("ALGORITHM", algorithm, algorithm_list())->required(need != Need::nothing);
  verb.add_option("--op", op,
                  "Operator: plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, last_nonzero or affine; for "
                  "adjacent_difference, minus too; for selections and runs, a predicate: less, less_equal, greater, "
                  "greater_equal, equal_to or not_equal_to (default: minus for adjacent_difference, equal_to for "
                  "unique, unique_by_key, run_length_encode and nontrivial_runs, not_equal_to for nonzero); other "
                  "common names, such as "
                  "sum, max and +, work too");
  CLI::Option* const type_option = verb.add_option(
      "--type", type,
      "Type of the items: i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 c64 c128; other common names, such as "
      "int32, float and half, work too");
  type_option->required(need == Need::all);
  verb.add_option("--accumulate", accumulate,
                  "Accumulator type (default: the output type if it is given, otherwise the type of the items)");
  verb.add_option("--output-type", output_type, "Type of the result (default: the accumulator type)");
  const bool reads_files = need == Need::not_the_type;
  verb.add_option(
      "--key-type", key_type,
      fmt::format("Type of the keys of algorithms by key (default: u32) or of the flags of select_flagged "
                  "(default: u8), or of the offsets of segments, {}",
                  reads_files
                      ? "i32, u32, i64 or u64 (default: that of a .npy file, otherwise i64)"
                      : "u32 or u64 (default: u32); signed offsets of 32 bits count as u32, of 64 bits as u64"));
  verb.add_option("--density", density,
                  "Expected results per item, from 0 to 1, of selections and runs; the nearest of 0, 0.01, 0.125, 0.5, "
                  "0.99 and 1 is used (default: not known)");
  verb.add_option("--accuracy", accuracy, accuracy_text);
  verb.add_option("--row-length", row_length, row_length_text);
  verb.add_option("--row-pitch", row_pitch, row_pitch_text);
  verb.add_option("--inner", inner, inner_text);
  CLI::Option* const segments = verb.add_option("--segment-length", segment_length, segment_length_text);
  if (reads_files) segments->group("");  // not in --help: offsets say it
}

bool ProblemArguments::empty() const {
  return algorithm.empty() && op.empty() && type.empty() && accumulate.empty() && output_type.empty() &&
         key_type.empty() && density.empty() && accuracy.empty() && row_length.empty() && row_pitch.empty() &&
         inner.empty() && segment_length.empty();
}

void ProblemArguments::check_names() const {
  if (algorithm.empty()) {
    throw UsageError(fmt::format("ALGORITHM is missing: use one of {}", algorithm_list()));
  }
  (void)named_operator();
  for (const std::string* each : {&type, &accumulate, &output_type, &key_type}) {
    if (!each->empty()) (void)type_named(*each);
  }
  if (!density.empty()) (void)density_named(density);
  if (!accuracy.empty()) (void)parse_accuracy(accuracy);
  if (!row_length.empty()) (void)row_length_named(row_length);
  if (!row_pitch.empty()) {
    (void)row_pitch_named(row_pitch);
    if (row_length.empty()) {
      throw UsageError("--row-pitch needs the number of items per row: give it with --row-length");
    }
    if (!inner.empty()) {
      throw UsageError("--row-pitch is of rows and --inner of an axis: remove one of them");
    }
  }
  if (!inner.empty()) {
    (void)inner_named(inner);
    if (row_length.empty()) {
      throw UsageError(
          "--inner needs the number of items along the axis: give it with --row-length (--axis and "
          "--segments say themselves how the items are divided)");
    }
  }
  if (segment_length.empty()) return;
  (void)segment_length_named(segment_length);
  if (!row_length.empty()) {
    throw UsageError("--row-length and --segment-length say different things of the items: remove one of them");
  }
}

Operator ProblemArguments::named_operator() const {
  const AlgorithmEntry& entry = entry_of(algorithm_named(algorithm));
  if (!op.empty()) return operator_named(op);
  if (entry.usual_operator) return *entry.usual_operator;
  throw UsageError("--op is missing: name the operator, as in --op plus");
}

Problem ProblemArguments::unvalidated(Type input, std::uint64_t size) const {
  const auto named = [](const std::string& type_name) {
    return type_name.empty() ? std::nullopt : std::optional(type_named(type_name));
  };
  Problem made = problem_of(algorithm_named(algorithm), named_operator(), input, named(accumulate), named(output_type),
                            named(key_type));
  made.size = size;
  if (!density.empty()) made.density = density_named(density);
  if (!accuracy.empty()) made.accuracy = parse_accuracy(accuracy);
  if (!row_length.empty()) {
    made.shape = Shape::rows;
    made.row_length = base::parse_size(row_length);  // checked before; that of a file may be 0
  }
  if (!row_pitch.empty()) made = with_pitch(std::move(made), base::parse_size(row_pitch));
  if (const std::uint64_t behind = inner.empty() ? 1 : base::parse_size(inner); behind != 1) {
    made.shape = Shape::axis;
    made.inner = behind;
  }
  if (!segment_length.empty()) {
    const Problem segments = in_segments(made, 1, base::parse_size(segment_length), made.key.value_or(Type::u32));
    made.shape = segments.shape;  // a length that was checked before; that of a file may be 0
    made.row_length = segments.row_length;
    made.key = segments.key;
  }
  return made;
}

Problem ProblemArguments::unvalidated(std::uint64_t size) const {
  check_names();
  if (type.empty()) throw UsageError("--type is missing: name the type of the items, as in --type i32");
  return unvalidated(type_named(type), size);
}

Problem ProblemArguments::problem(Type input, std::uint64_t size) const {
  Problem made = unvalidated(input, size);
  validate(made);
  return made;
}

Problem ProblemArguments::problem(std::uint64_t size) const {
  Problem made = unvalidated(size);
  validate(made);
  return made;
}

void add_device(CLI::App& verb, std::string& device) {
  verb.add_option(
          "--device", device,
          "Device: auto (the first GPU, otherwise the host device), cuda, cuda:N, cuda:N/M (M multiprocessors of "
          "that GPU) or host")
      ->capture_default_str();
}

void add_database(CLI::App& verb, std::string& database) {
  verb.add_option("--db", database,
                  "Path of the tuning database (default: $UPSWEEP_DB, otherwise upsweep/tuning.db in the user's data "
                  "folder); with none, only shipped results are used");
}

void add_config(CLI::App& verb, std::string& config) {
  verb.add_option(
      "--config", config,
      "Config to use: in short form (\"lookback, items_per_thread=8\"), as JSON, or a JSON file; parameters that it "
      "leaves out get default values, which `upsweep space` shows");
}

Config read_config(const std::string& text_or_path, const Space& space) {
  std::optional<Config> given;
  if (text_or_path != "-") given = config_from_text(text_or_path);
  if (!given) {
    const std::vector<std::byte> bytes = base::read_bytes(text_or_path);
    given = config_from_json(base::as_text(bytes));
  }
  return space.resolve(*given);
}

std::chrono::milliseconds parse_budget(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  for (const auto& [name, milliseconds] :
       {std::pair{"", 1e3}, std::pair{"ms", 1.0}, std::pair{"s", 1e3}, std::pair{"m", 60e3}, std::pair{"h", 3600e3}}) {
    const double total = value * milliseconds;
    if (error == std::errc{} && unit == name && total >= 1 && total < 1e12) {
      return std::chrono::milliseconds(std::llround(total));
    }
  }
  throw UsageError(fmt::format("budget '{}' is not a duration; write it as 500ms, 60s, 2m or 1h", text));
}

std::string format_duration(std::chrono::milliseconds duration) {
  const auto seconds = (duration.count() + 999) / 1000;
  if (seconds >= 3600) return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
  if (seconds >= 60) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} s", seconds);
}

std::string format_time(double microseconds) {
  if (microseconds < 1) return fmt::format("{:.3g} ns", microseconds * 1e3);
  if (microseconds < 1e3) return fmt::format("{:.4g} us", microseconds);
  if (microseconds < 1e6) return fmt::format("{:.4g} ms", microseconds / 1e3);
  return fmt::format("{:.4g} s", microseconds / 1e6);
}

Json json_of(const Problem& problem) {
  return upsweep::json_of<Json>(problem);
}

Json json_of(const Config& config) {
  return upsweep::json_of<Json>(config);
}

Json json_of(const DeviceIdentity& identity, const std::string& label) {
  Json json{{"device", label}, {"name", identity.name}};
  if (label == "host") return json;
  json["architecture"] = architecture_of(identity);
  json["multiprocessors"] = identity.multiprocessors;
  json["memory_bus_bits"] = identity.memory_bus_bits;
  json["memory_clock_khz"] = identity.memory_clock_khz;
  json["ecc"] = identity.ecc;
  return json;
}

namespace {

const char* name_of(GridRule grid) {
  constexpr std::array names{"one_block", "one_cluster", "block_per_tile", "persistent"};
  return names[static_cast<std::size_t>(grid)];
}

}  // namespace

Json json_of(const LaunchRule& launch) {
  return {{"grid", name_of(launch.grid)},
          {"threads_per_block", launch.threads_per_block},
          {"items_per_tile", launch.items_per_tile},
          {"columns_per_tile", launch.columns_per_tile},
          {"columns_per_vector", launch.columns_per_vector},
          {"row_columns", launch.row_columns},
          {"blocks_per_multiprocessor", launch.blocks_per_multiprocessor},
          {"shared_bytes", launch.shared_bytes},
          {"cluster_blocks", launch.cluster_blocks},
          {"cooperative", launch.cooperative},
          {"dependent", launch.dependent}};
}

Json json_of(const WorkspaceRule& workspace) {
  return {{"layout", workspace.layout},
          {"slot_bytes", workspace.slot_bytes},
          {"slot_per_tile", workspace.slot_per_tile},
          {"slots_of_whole_grid", workspace.slots_of_whole_grid},
          {"one_slot", workspace.one_slot}};
}

Json json_of(const Source& step) {
  Json scratch = Json::array();
  for (const ScratchRule& array : step.scratch) {
    scratch.push_back({{"name", array.name},
                       {"item_bytes", array.item_bytes},
                       {"items", array.items},
                       {"items_per_multiprocessor", array.items_per_multiprocessor},
                       {"call_items_per_item", array.call_items_per_item}});
  }
  return {{"key", step.key},
          {"entry", step.entry},
          {"launch", json_of(step.launch)},
          {"workspace", json_of(step.workspace)},
          {"scratch", scratch}};
}

std::string config_text(const Io& io, const Config& config, const Problem& problem,
                        const std::optional<DeviceLimits>& limits) {
  return io.full_configs ? to_json(config) : short_form(config, problem, limits);
}

std::string config_line(const Io& io, const Config& config, const Problem& problem,
                        const std::optional<DeviceLimits>& limits) {
  const std::string text = config_text(io, config, problem, limits);
  return text == "default" ? fmt::format("default ({})", config.schedule) : text;
}

}  // namespace upsweep::cli
