// What `upsweep space` shows: a description of a config space, as data, as text, or as the page docs/config-space.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/config_space.hpp>

#include "cli/arguments.hpp"

namespace upsweep::cli {

// A value that no config of the schedule can have for this problem on this device, and the rule that it breaks.
struct RefusedValue {
  ParameterValue value;
  std::string reason;
};

struct ParameterReport {
  Parameter parameter;
  ParameterValue initial;  // in the schedule's default config
  std::vector<RefusedValue> refused;
};

struct ScheduleReport {
  ScheduleInfo info;
  std::string obstacle;  // why no config of the schedule is in the space; empty if some are
  std::vector<ParameterReport> parameters;
  std::uint64_t combinations = 0;  // of the parameters' values
  double valid_share = 0;          // of these, estimated from a sample
};

// One report for each schedule, or for the one of that name. Throws UsageError for an unknown schedule.
[[nodiscard]] std::vector<ScheduleReport> report_space(const ConfigSpace& space, const std::string& schedule);

[[nodiscard]] Json json_of(const ScheduleReport& report);
[[nodiscard]] std::string describe(const ScheduleReport& report, bool is_default);

// All schedules, parameters and constraints, of whatever problem, as Markdown.
[[nodiscard]] std::string space_page();

}  // namespace upsweep::cli
