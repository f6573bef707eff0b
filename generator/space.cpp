#include "generator/space.hpp"

#include "generator/accuracy.hpp"
#include "generator/operator.hpp"
#include "generator/schedule.hpp"
#include "generator/shape.hpp"

namespace upsweep {

std::vector<Config> Space::seed_configs() const {
  std::vector<Config> found{default_config()};
  const Problem of_plan = of_classes(problem());
  for (const Schedule* schedule : schedules()) {
    if (!schedule->suits(of_plan) || schedule->is_baseline()) continue;
    found.push_back(schedule->defaults(of_plan, limits()));
    for (Config& seed : schedule->seed_configs(of_plan, limits())) found.push_back(std::move(seed));
  }
  std::erase_if(found, [&](const Config& config) { return !contains(config); });
  return found;
}

bool Space::suits(const Config& config) const {
  return find_schedule(problem(), config.schedule).suits(of_classes(problem()));
}

bool is_reproducible(const Problem& problem, const Config& config) {
  return is_exact(problem.op, problem.accumulator) || is_binned(problem) ||
         find_schedule(problem, config.schedule).fixed_association(problem, config);
}

}  // namespace upsweep
