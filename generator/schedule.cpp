#include "generator/schedule.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/entries.hpp"
#include "generator/names.hpp"

namespace upsweep {
namespace {

std::vector<const Schedule*>& known_schedules() {
  // Never destroyed, as the schedules: contexts of static storage duration write their notes at exit.
  static auto& schedules = *new std::vector<const Schedule*>(built_in_schedules());
  return schedules;
}

}  // namespace

const std::vector<const Schedule*>& all_schedules() {
  return known_schedules();
}

void add_schedule(const Schedule& schedule) {
  std::vector<const Schedule*>& known = known_schedules();
  if (std::ranges::find(known, schedule.name(), &Schedule::name) != known.end()) {
    throw UsageError(fmt::format("there is a schedule '{}' already: use another name", schedule.name()));
  }
  known.push_back(&schedule);
}

const Schedule& find_schedule(const Problem& problem, std::string_view name) {
  std::vector<std::string> known;
  for (const Schedule* schedule : all_schedules()) {
    if (!schedule->supports(problem)) continue;
    if (schedule->name() == name) return *schedule;
    known.emplace_back(schedule->name());
  }
  throw UsageError(unknown_name("schedule", name, known, fmt::format("for {}", upsweep::name(problem.algorithm))));
}

}  // namespace upsweep
