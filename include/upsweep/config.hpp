// A config: how a problem is computed; one value per tuning parameter of a schedule.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace upsweep {

// Counts and sizes are integers, strategies are names.
using ParameterValue = std::variant<std::int64_t, std::string>;

[[nodiscard]] std::string to_string(const ParameterValue& value);

struct Config {
  std::string schedule;
  std::map<std::string, ParameterValue, std::less<>> values;

  // The value of a parameter. Throws UsageError if the config has none of that name or it is of the other kind.
  [[nodiscard]] std::int64_t integer(std::string_view parameter) const;
  [[nodiscard]] const std::string& name(std::string_view parameter) const;

  bool operator==(const Config&) const = default;
  auto operator<=>(const Config&) const = default;
};

// One line of JSON: {"schedule":"lookback","items_per_thread":16,...}, keys in the order of their names.
[[nodiscard]] std::string to_json(const Config& config);

// The reverse. Throws UsageError where the text is no JSON object of integers and names with a "schedule". Whether the
// config lies in a problem's space is for `Space` to say.
[[nodiscard]] Config config_from_json(std::string_view text);

}  // namespace upsweep
