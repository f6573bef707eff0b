// Which parameters mattered, and which of their values were good: told from trials.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <upsweep/config.hpp>

namespace upsweep::tuner {

struct Timed {
  Config config;
  double us = 0;
};

// A parameter's value among the configs that have it.
struct ValueTimes {
  ParameterValue value;
  std::size_t configs = 0;
  double best_us = 0;
  double quartile_us = 0;  // median of the fastest quarter: what the value allows where the rest is well chosen
  double expected_us = 0;  // geometric mean of what the model expects with this value in each of the schedule's configs

  bool operator==(const ValueTimes&) const = default;
};

struct ParameterImportance {
  std::string parameter;
  // Of the variance of log(time) that the model explains, 0 to 1: how much of it is lost where the parameter's values
  // are dealt out anew. Shares of all parameters of a schedule add up to 1, or are all 0 where no parameter matters.
  double share = 0;
  std::vector<ValueTimes> values;  // in ascending or alphabetical order

  bool operator==(const ParameterImportance&) const = default;
};

struct ScheduleImportance {
  std::string schedule;
  std::size_t configs = 0;
  double best_us = 0;
  double explained =
      0;  // of the variance of log(time), by the model out of its sample: 0 says not to believe the shares
  std::vector<ParameterImportance> parameters;  // the most important first

  bool operator==(const ScheduleImportance&) const = default;
};

// The schedules of the configs, that of the fastest config first. Times must be above 0; of several for one config the
// last counts, and parameters that all configs of a schedule lack or share are listed with a share of 0. A schedule of
// fewer than 8 configs has no shares. Throws UsageError for a time that is none. Takes some milliseconds for a thousand
// configs; the same for the same arguments.
[[nodiscard]] std::vector<ScheduleImportance> importance(std::span<const Timed> trials, std::uint64_t seed = 1);

}  // namespace upsweep::tuner
