// Arguments that several verbs take, and the JSON and the texts of configs that several verbs print.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

#include "cli/io.hpp"

namespace CLI {
class App;
}

namespace upsweep {
class Space;
}

namespace upsweep::cli {

using Json = nlohmann::ordered_json;

// The names of all algorithms, separated by commas.
[[nodiscard]] std::string algorithm_list();

// What --accuracy is, in --help.
inline constexpr const char* accuracy_text =
    "How sums of f16, bf16, f32 and f64 are kept, in scans and reduces: plain, with an error term beside each sum: "
    "kahan, neumaier or double_double, or, in reduces, binned: the same bits in any order (default: plain)";

// What --row-length is, in --help.
inline constexpr const char* row_length_text =
    "Items per row, where the items are rows of equal length, of which each is scanned or reduced on its own: "
    "inclusive_scan, exclusive_scan and reduce (default: all items are one sequence)";

// What --row-pitch is, in --help.
inline constexpr const char* row_pitch_text =
    "With --row-length, for rows with gaps between them: how many items apart neighbouring rows begin (default: the "
    "row "
    "length)";

// The number that --row-pitch says. Throws UsageError.
[[nodiscard]] std::uint64_t row_pitch_named(const std::string& text);

// What --inner is, in --help.
inline constexpr const char* inner_text =
    "With --row-length, for an axis that is not the last one of an array: how many items neighbours along the axis are "
    "apart, which is the product of the extents behind it (default: 1)";

// The number that --inner says. Throws UsageError.
[[nodiscard]] std::uint64_t inner_named(const std::string& text);

// What --segment-length is, in --help.
inline constexpr const char* segment_length_text =
    "Items per segment that are expected on average, where the items are segments of any length, given by offsets: "
    "inclusive_scan, exclusive_scan and reduce (default: all items are one sequence)";

// The items per segment that --segment-length says. Throws UsageError.
[[nodiscard]] std::uint64_t segment_length_named(const std::string& text);

// The items per row that --row-length says, such as 64 or 2^10. Throws UsageError.
[[nodiscard]] std::uint64_t row_length_named(const std::string& text);

// The class of a number from 0 to 1. Throws UsageError for other texts.
[[nodiscard]] Density density_named(const std::string& text);

// ALGORITHM --op OP --type TYPE [--accumulate TYPE] [--output-type TYPE] [--key-type TYPE] [--density NUMBER]
// [--accuracy NAME] [--row-length N [--row-pitch N | --inner N]] [--segment-length N], by the names of
// generator/aliases.hpp.
struct ProblemArguments {
  std::string algorithm;
  std::string op;              // may stay empty for algorithms with a usual operator
  std::string type;            // may stay empty where the input file says it
  std::string accumulate;      // empty: the output type, or the type
  std::string output_type;     // empty: the accumulator type
  std::string key_type;        // empty: u32 where the algorithm has keys, or the shape offsets
  std::string density;         // empty: not known
  std::string accuracy;        // empty: plain
  std::string row_length;      // empty: all items are one sequence
  std::string row_pitch;       // empty: rows without gaps
  std::string inner;           // empty: rows, not an axis
  std::string segment_length;  // empty: all items are one sequence

  enum class Need { all, not_the_type, nothing };
  void add_to(CLI::App& verb, Need need = Need::all);
  [[nodiscard]] bool empty() const;  // none of them was given

  // Throws UsageError for unknown names and for what makes no problem.
  void check_names() const;
  [[nodiscard]] Operator named_operator() const;
  [[nodiscard]] Problem problem(Type input, std::uint64_t size) const;
  [[nodiscard]] Problem problem(std::uint64_t size) const;
  // The same, but not validated: each of the names is known, but there may be no such problem.
  [[nodiscard]] Problem unvalidated(Type input, std::uint64_t size) const;
  [[nodiscard]] Problem unvalidated(std::uint64_t size) const;
};

void add_device(CLI::App& verb, std::string& device);
void add_database(CLI::App& verb, std::string& database);
void add_config(CLI::App& verb, std::string& config);

// A config from its short form (generator/short_config.hpp), from JSON, or from the file of JSON of that name; what it
// leaves out is completed with defaults (ConfigSpace::resolve). Throws InputError for a file that cannot be read,
// UsageError for a config outside the space.
[[nodiscard]] Config read_config(const std::string& text_or_path, const Space& space);

// "60s", "2m", "500ms", "1h"; a bare number is seconds. Throws UsageError.
[[nodiscard]] std::chrono::milliseconds parse_budget(std::string_view text);
// "1 h 5 min", "2 min 10 s" or "45 s".
[[nodiscard]] std::string format_duration(std::chrono::milliseconds duration);
// "812 ns", "12.3 us", "4.56 ms" or "1.23 s".
[[nodiscard]] std::string format_time(double microseconds);

[[nodiscard]] Json json_of(const Problem& problem);
[[nodiscard]] Json json_of(const Config& config);
[[nodiscard]] Json json_of(const DeviceIdentity& identity, const std::string& label);
[[nodiscard]] Json json_of(const LaunchRule& launch);
[[nodiscard]] Json json_of(const WorkspaceRule& workspace);
[[nodiscard]] Json json_of(const Source& step);  // without its text

// The config's short form (generator/short_config.hpp), or with `--configs full` the whole config as JSON.
[[nodiscard]] std::string config_text(const Io& io, const Config& config, const Problem& problem,
                                      const std::optional<DeviceLimits>& limits);

// The same for one config on a line of its own: the default with the name of its schedule.
[[nodiscard]] std::string config_line(const Io& io, const Config& config, const Problem& problem,
                                      const std::optional<DeviceLimits>& limits);

}  // namespace upsweep::cli
