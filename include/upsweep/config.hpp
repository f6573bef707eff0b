/// @file
/// Config: the tuning parameters of one kernel, as a plain value.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace UPSWEEP_API upsweep {

/// The value of one tuning parameter: an integer, or a name if the values are names.
using ParameterValue = std::variant<std::int64_t, std::string>;

/// The value as text, without quotes: `16` or `vectorized`.
[[nodiscard]] std::string to_string(const ParameterValue& value);

/// How a problem is computed: a schedule and one value for each tuning parameter of the schedule. Results do not depend
/// on the config, except the last bits of floating-point sums and products. The configs that are valid for a problem on
/// a device form the config space.
///
/// A config may be partial: without a schedule (empty), or without some of the schedule's parameters.
/// ConfigSpace::resolve() completes a partial config, and Context::plan() does the same. generate() needs a complete
/// config.
struct Config {
  std::string schedule{};  ///< Which kernel structure is used, for example "lookback" or "lookahead".
  std::map<std::string, ParameterValue, std::less<>> values{};  ///< Parameter name to value.

  /// The value of an integer parameter.
  /// @throws UsageError if the config has no parameter of that name, or if its value is a name.
  [[nodiscard]] std::int64_t integer(std::string_view parameter) const;

  /// The value of a parameter that takes a name.
  /// @throws UsageError if the config has no parameter of that name, or if its value is an integer.
  [[nodiscard]] const std::string& name(std::string_view parameter) const;

  /// Configs are equal if schedule and all values are equal.
  bool operator==(const Config&) const = default;
  /// A total order, so that configs can be keys of a map.
  auto operator<=>(const Config&) const = default;
};

/// The config as one line of JSON, `{"schedule":"lookback","items_per_thread":16,...}`, with the parameters in
/// alphabetical order.
[[nodiscard]] std::string to_json(const Config& config);

/// Parses a config that to_json() has written. This function checks only the form of the text. ConfigSpace,
/// Context::plan() and generate() check whether the config is valid for a problem.
/// @param text a JSON object of integers and strings with at most 64 members and 1 MiB. The config may be partial.
/// @throws UsageError if the text has another form or is larger.
[[nodiscard]] Config config_from_json(std::string_view text);

}  // namespace upsweep
