// The space: the configs that are valid for a problem on a device, checked before anything is compiled.
#pragma once

#include <random>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

class Schedule;

struct Parameter {
  std::string name;
  std::string meaning;                 // one line, units included
  std::vector<ParameterValue> values;  // in ascending or natural order
};

class Space {
 public:
  Space(const Problem& problem, const DeviceLimits& limits);

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] const std::vector<const Schedule*>& schedules() const noexcept { return schedules_; }

  // Number of points of the cartesian product over all schedules, valid or not, and the point of an index below it.
  [[nodiscard]] std::uint64_t points() const;
  [[nodiscard]] Config point(std::uint64_t index) const;

  // Why the config is not in the space: one line per violated constraint, naming it. Empty: it is in the space.
  [[nodiscard]] std::vector<std::string> violations(const Config& config) const;
  [[nodiscard]] bool contains(const Config& config) const { return violations(config).empty(); }
  // Throws UsageError with the first violation.
  void validate(const Config& config) const;

  // Valid configs worth trying before others: the default, then each suitable schedule's own default and landmarks.
  [[nodiscard]] std::vector<Config> landmarks() const;
  // Whether the config's schedule can be any good for problem().size items.
  [[nodiscard]] bool suits(const Config& config) const;

  // A valid config, each with the same chance.
  [[nodiscard]] Config sample(std::mt19937_64& random) const;
  // The valid configs that differ in one parameter by one step (any other value for strategies).
  [[nodiscard]] std::vector<Config> neighbours(const Config& config) const;

  // What to use before anything was measured, for problem.size items.
  [[nodiscard]] Config default_config() const;

  // Fills parameters that a hand-written config leaves out with the schedule's defaults. Throws UsageError for an
  // unknown schedule.
  [[nodiscard]] Config complete(const Config& partial) const;
  // Likewise, and a default that does not go with what was given gives way to the next value that does, if one does.
  [[nodiscard]] Config complete_around(const Config& given) const;

 private:
  [[nodiscard]] const char* default_scan(std::uint64_t bytes) const;

  Problem problem_;
  DeviceLimits limits_;
  std::vector<const Schedule*> schedules_;
};

// Whether the result of (problem, config) is bit-identical from run to run on one device: the association is fixed or
// the operator is exactly associative on the type.
[[nodiscard]] bool is_reproducible(const Problem& problem, const Config& config);

}  // namespace upsweep
