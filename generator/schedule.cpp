#include "generator/schedule.hpp"

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/machine_parameters.hpp"
#include "generator/names.hpp"
#include "generator/schedules/schedules.hpp"

namespace upsweep {

std::vector<Parameter> Schedule::parameters(const Problem& problem) const {
  return machine::with_parameters(own_parameters(problem), problem);
}

Config Schedule::defaults(const Problem& problem, const DeviceLimits& limits) const {
  return machine::with_defaults(own_defaults(problem, limits), problem, limits);
}

std::vector<std::string> Schedule::violations(const Problem& problem, const Config& config,
                                              const DeviceLimits& limits) const {
  std::vector<std::string> violations = own_violations(problem, config, limits);
  machine::check(violations, config, limits);
  return violations;
}

std::vector<Constraint> Schedule::constraints(const Problem& problem) const {
  return machine::with_constraints(own_constraints(problem));
}

Recipe Schedule::recipe(const Problem& problem, const Config& config) const {
  Recipe recipe = own_recipe(problem, config);
  machine::fill_roles(recipe, problem, config);
  return recipe;
}

const std::vector<const Schedule*>& all_schedules() {
  // Never destroyed, as the schedules: contexts of static storage duration write their notes at exit.
  static const auto& schedules = *new const std::vector<const Schedule*>{
      &scan_single_block(), &scan_cluster(),        &scan_lookback(),     &scan_chained(),        &scan_gather(),
      &scan_lookahead(),    &reduce_single_block(), &reduce_last_block(), &reduce_last_started(), &sequential()};
  return schedules;
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
