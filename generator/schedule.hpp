// A schedule: the first choice of a config. Each is one file in generator/schedules with its kernel in
// templates/kernel; adding one touches only the list in schedules/schedules.cpp. Built-in schedules derive from
// DescribedSchedule.
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
  // `source`: the publication that describes it, or "upsweep". The texts must outlive the schedule.
  Schedule(std::string_view name, std::string_view meaning, std::string_view source)
      : name_(name), meaning_(meaning), source_(source) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  virtual ~Schedule() = default;

  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] std::string_view meaning() const noexcept { return meaning_; }  // a few sentences
  [[nodiscard]] std::string_view source() const noexcept { return source_; }
  [[nodiscard]] virtual bool supports(const Problem& problem) const = 0;

  // Its parameters with the values that make sense for the problem.
  [[nodiscard]] virtual std::vector<Parameter> parameters(const Problem& problem) const = 0;
  // What to use before anything was measured, for problem.size items.
  [[nodiscard]] virtual Config defaults(const Problem& problem, const DeviceLimits& limits) const = 0;
  // What of the device decides on the defaults, for people: "reduce_ahead and states_per_lane are for 64
  // multiprocessors with 75 GB/s of memory bandwidth each". Empty where it is nothing but limits that every config
  // keeps.
  [[nodiscard]] virtual std::string reason_for_defaults(const DeviceLimits&) const { return {}; }
  // Configs that were good for similar problems where this schedule was measured, to be tried first. Some may lie
  // outside the space.
  [[nodiscard]] virtual std::vector<Config> seed_configs(const Problem& problem, const DeviceLimits& limits) const = 0;
  // Whether it can be any good for problem.size items: one block would take seconds for what many do in microseconds,
  // and the work of all_aggregates rises with the square of the tiles. A schedule that does not suit is used only
  // where it is asked for by name: no default, seed config or proposal of a search has it.
  [[nodiscard]] virtual bool suits(const Problem&) const { return true; }
  // Whether it is an algorithm of the literature that others have replaced: kept to be read, measured and compared
  // with. No default or seed config has it, and the search by a model proposes it once in many times.
  [[nodiscard]] virtual bool is_baseline() const { return false; }
  // The unit of tile_extent(). Along an axis, that may be "row" or "column", and the extent is an estimate.
  [[nodiscard]] virtual std::string_view tile_unit() const noexcept { return "item"; }
  // Constraints that the config violates, one line each. The config has a valid value of each parameter.
  [[nodiscard]] virtual std::vector<std::string> violations(const Problem& problem, const Config& config,
                                                            const DeviceLimits& limits) const = 0;
  // What `violations` checks, in words; each of its lines begins with the name of one of these.
  [[nodiscard]] virtual std::vector<Constraint> constraints(const Problem& problem) const = 0;
  // One for each step, in the order of their launches, for a config of the space.
  [[nodiscard]] virtual std::vector<Recipe> recipes(const Problem& problem, const Config& config) const = 0;
  // Whether the order in which the operator is applied is the same in every run on one device, with a config of the
  // space.
  [[nodiscard]] virtual bool fixed_association(const Problem& problem, const Config& config) const = 0;

 private:
  std::string_view name_, meaning_, source_;
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
