// A schedule: the biggest choice of a config. Each is one file in generator/schedules with its kernel in
// templates/kernel; adding one touches only the list in schedule.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "generator/assemble.hpp"
#include "generator/space.hpp"

namespace upsweep {

class Schedule {
 public:
  Schedule() = default;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  virtual ~Schedule() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view meaning() const = 0;  // one sentence
  [[nodiscard]] virtual std::string_view source() const = 0;   // the publication that describes it, or "upsweep"
  [[nodiscard]] virtual bool supports(const Problem& problem) const = 0;

  // Its parameters with the values that make sense for the problem.
  [[nodiscard]] std::vector<Parameter> parameters(const Problem& problem) const;
  // What to use before anything was measured, for problem.size items.
  [[nodiscard]] Config defaults(const Problem& problem, const DeviceLimits& limits) const;
  // Configs that were good for similar problems where this schedule was measured, to be tried first; some may lie
  // outside the space. What they leave out is as in the defaults.
  [[nodiscard]] virtual std::vector<Config> landmarks(const Problem&) const { return {}; }
  // Whether it can be any good for problem.size items: one block would take seconds for what many do in microseconds,
  // and gather's work rises with the square of the tiles. What does not suit is used only where it is asked for by
  // name: no default, landmark or proposal of a search has it.
  [[nodiscard]] virtual bool suits(const Problem&) const { return true; }
  // Constraints that the config violates beyond values that are not a parameter's, one line each.
  [[nodiscard]] std::vector<std::string> violations(const Problem& problem, const Config& config,
                                                    const DeviceLimits& limits) const;
  // What `violations` checks, in words; each of its lines begins with the name of one of these.
  [[nodiscard]] std::vector<Constraint> constraints(const Problem& problem) const;
  // One for each step, in the order of their launches.
  [[nodiscard]] std::vector<Recipe> recipes(const Problem& problem, const Config& config) const;
  // Whether the order in which the operator is applied is the same in every run on one device.
  [[nodiscard]] virtual bool fixed_association(const Config& config) const = 0;

 protected:
  // The same without what all schedules share (generator/machine_parameters).
  [[nodiscard]] virtual std::vector<Parameter> own_parameters(const Problem& problem) const = 0;
  [[nodiscard]] virtual Config own_defaults(const Problem& problem, const DeviceLimits& limits) const = 0;
  [[nodiscard]] virtual std::vector<std::string> own_violations(const Problem& problem, const Config& config,
                                                                const DeviceLimits& limits) const = 0;
  [[nodiscard]] virtual std::vector<Constraint> own_constraints(const Problem& problem) const = 0;
  [[nodiscard]] virtual Recipe own_recipe(const Problem& problem, const Config& config) const = 0;
  // All steps, of a schedule that has more than the one of own_recipe().
  [[nodiscard]] virtual std::vector<Recipe> own_recipes(const Problem& problem, const Config& config) const {
    return {own_recipe(problem, config)};
  }
};

// In the order in which they are listed and sampled: the built-in ones, then those that were added.
[[nodiscard]] const std::vector<const Schedule*>& all_schedules();

// Adds a schedule that is not built in. It must live as long as the process, and no other thread may use the library
// meanwhile. Worker processes do not know it: tune with Isolation::in_process. Throws UsageError if there is one of
// that name.
void add_schedule(const Schedule& schedule);

// The schedule of that name that supports the problem's algorithm. Throws UsageError naming those that do.
[[nodiscard]] const Schedule& find_schedule(const Problem& problem, std::string_view name);

}  // namespace upsweep
