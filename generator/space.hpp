// The space as searches and choices see it: its schedules, its points and what lies beside a config.
#pragma once

#include <random>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/config_space.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

class Space : public ConfigSpace {
 public:
  using ConfigSpace::complete;
  using ConfigSpace::complete_around;
  using ConfigSpace::ConfigSpace;

  [[nodiscard]] const std::vector<const Schedule*>& schedules() const noexcept { return supporting(); }

  // Number of points of the cartesian product over all schedules, valid or not, and the point of an index below it.
  [[nodiscard]] std::uint64_t points() const;
  [[nodiscard]] Config point(std::uint64_t index) const;

  // Valid configs worth trying before others: the default, then each suitable schedule's own default and landmarks.
  [[nodiscard]] std::vector<Config> landmarks() const;
  // Whether the config's schedule can be any good for problem().size items.
  [[nodiscard]] bool suits(const Config& config) const;

  // A valid config, each with the same chance.
  [[nodiscard]] Config sample(std::mt19937_64& random) const;
  // The valid configs that differ in one parameter by one step (any other value for strategies).
  [[nodiscard]] std::vector<Config> neighbours(const Config& config) const;
};

// Whether the result of (problem, config) is bit-identical from run to run on one device: the association is fixed or
// the operator is exactly associative on the type.
[[nodiscard]] bool is_reproducible(const Problem& problem, const Config& config);

}  // namespace upsweep
