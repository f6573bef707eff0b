// The importance of parameters: how much of the spread of times each explains, and how its values did.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <upsweep/config.hpp>

namespace upsweep::report {

// A config and its time over the best of the same size, 1 or more.
struct RelativeTime {
  Config config;
  double ratio = 1;
};

// How the configs with one value of a parameter did, as ratios to the best.
struct ValueTimes {
  std::string value;
  int configs = 0;
  double best = 1;
  double median = 1;
  bool operator==(const ValueTimes&) const = default;
};

struct ParameterImportance {
  std::string parameter;           // "schedule" too
  double share = 0;                // of all parameters' together 1
  std::vector<ValueTimes> values;  // numbers ascending, many of them by octave; names in the order of their best
  bool operator==(const ParameterImportance&) const = default;
};

// Parameters that took more than one value, the greatest share first; none where there is nothing to tell from.
[[nodiscard]] std::vector<ParameterImportance> importance(std::span<const RelativeTime> times);

}  // namespace upsweep::report
