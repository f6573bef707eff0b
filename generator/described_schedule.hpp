// A schedule whose configs are values with types: what is said of Values here is said of configs by Schedule.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generator/algorithm.hpp"
#include "generator/count_step.hpp"
#include "generator/launch_values.hpp"
#include "generator/parameter.hpp"
#include "generator/schedule.hpp"

namespace upsweep {

// Values derives from LaunchValues and has a static visit(values, problem, visitor), which calls the visitor with each
// member and its description, in the order in which parameters are listed and sampled.
template <typename Values>
class DescribedSchedule : public Schedule {
 public:
  using Schedule::Schedule;

  [[nodiscard]] std::vector<Parameter> parameters(const Problem& problem) const final {
    ParameterList list;
    const Values values;
    Values::visit(values, problem, list);
    return std::move(list.parameters);
  }
  [[nodiscard]] Config defaults(const Problem& problem, const DeviceLimits& limits) const final {
    return config_of(problem, default_values(problem, limits));
  }
  [[nodiscard]] std::vector<Config> seed_configs(const Problem& problem, const DeviceLimits& limits) const final {
    std::vector<Config> configs;
    for (const Values& values : seed_values(problem, limits)) configs.push_back(config_of(problem, values));
    return configs;
  }
  [[nodiscard]] std::vector<std::string> violations(const Problem& problem, const Config& config,
                                                    const DeviceLimits& limits) const final {
    const Values values = values_of(problem, config);
    std::vector<std::string> found = check(problem, values, limits);
    check_launch(found, values, limits);
    return found;
  }
  [[nodiscard]] std::vector<Recipe> recipes(const Problem& problem, const Config& config) const final {
    const Values values = values_of(problem, config);
    std::vector<Recipe> found = steps(problem, values);
    if (entry_of(problem).counts_first) add_count(found, problem, counts_itself());
    for (Recipe& recipe : found) fill_launch_roles(recipe, problem, values);
    return found;
  }
  [[nodiscard]] bool fixed_association(const Problem& problem, const Config& config) const final {
    return is_association_fixed(values_of(problem, config));
  }

 protected:
  [[nodiscard]] virtual Values default_values(const Problem& problem, const DeviceLimits& limits) const = 0;
  [[nodiscard]] virtual std::vector<Values> seed_values(const Problem&, const DeviceLimits&) const { return {}; }
  // Without the rules of LaunchValues, which all schedules obey.
  [[nodiscard]] virtual std::vector<std::string> check(const Problem& problem, const Values& values,
                                                       const DeviceLimits& limits) const = 0;
  [[nodiscard]] virtual bool is_association_fixed(const Values&) const { return true; }
  // Whether its kernel counts the items that are kept where the places of results depend on it. Otherwise a step before
  // it does.
  [[nodiscard]] virtual bool counts_itself() const { return false; }
  // Without the roles of LaunchValues.
  [[nodiscard]] virtual std::vector<Recipe> steps(const Problem& problem, const Values& values) const = 0;

 private:
  [[nodiscard]] Config config_of(const Problem& problem, const Values& values) const {
    Config config{.schedule = std::string(name()), .values = {}};
    Values::visit(values, problem, ConfigWriter{config});
    return config;
  }
  [[nodiscard]] static Values values_of(const Problem& problem, const Config& config) {
    Values values;
    Values::visit(values, problem, ConfigReader{config});
    return values;
  }
};

}  // namespace upsweep
