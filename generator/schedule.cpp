#include "generator/schedule.hpp"

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/schedules/schedules.hpp"

namespace upsweep {

const std::vector<const Schedule*>& all_schedules() {
  static const std::vector<const Schedule*> schedules{&scan_single_block(), &scan_cluster(),   &scan_lookback(),
                                                      &scan_chained(),      &scan_lookahead(), &reduce_single_block(),
                                                      &reduce_last_block()};
  return schedules;
}

const Schedule& find_schedule(const Problem& problem, std::string_view name) {
  std::string known;
  for (const Schedule* schedule : all_schedules()) {
    if (!schedule->supports(problem)) continue;
    if (schedule->name() == name) return *schedule;
    known += (known.empty() ? "" : ", ") + std::string(schedule->name());
  }
  throw UsageError(
      fmt::format("unknown schedule '{}' for {}: use one of {}", name, upsweep::name(problem.algorithm), known));
}

}  // namespace upsweep
