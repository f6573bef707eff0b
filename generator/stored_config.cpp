#include "generator/stored_config.hpp"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "generator/schedule.hpp"

namespace upsweep {
namespace {

using NamedValues = std::vector<std::pair<std::string, ParameterValue>>;

NamedValues values_for_absence(const Problem& problem, const std::string& schedule_name) {
  NamedValues values;
  for (const Schedule* schedule : all_schedules()) {
    if (schedule->name() != schedule_name || !schedule->supports(problem)) continue;
    for (const Parameter& parameter : schedule->parameters(problem)) {
      if (parameter.absent) values.emplace_back(parameter.name, *parameter.absent);
    }
  }
  return values;
}

// Results are read by the thousand, and parameters are made with all their texts: so they are asked for once.
const NamedValues& known_values(Problem problem, const std::string& schedule) {
  static std::mutex mutex;
  static auto& known =
      *new std::map<std::pair<Problem, std::string>, NamedValues>;  // never destroyed, as the schedules
  problem.size = 0;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = known.try_emplace({problem, schedule});
  if (is_new) at->second = values_for_absence(problem, schedule);
  return at->second;
}

}  // namespace

Config with_present_names(Config config) {
  if (config.schedule == "gather") config.schedule = "all_aggregates";
  const auto packing = config.values.find("packing");
  if (packing != config.values.end() && packing->second == ParameterValue("halves")) packing->second = "packed_16x2";
  return config;
}

Config migrated(const Problem& problem, Config stored) {
  stored = with_present_names(std::move(stored));
  for (const auto& [name, value] : known_values(problem, stored.schedule)) stored.values.try_emplace(name, value);
  return stored;
}

}  // namespace upsweep
