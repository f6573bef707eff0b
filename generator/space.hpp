// The config space inside the library: the public one, and its schedules and seed configs.
#pragma once

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

  // Valid configs worth trying before others: the default, then each suitable schedule's own default and seeds.
  [[nodiscard]] std::vector<Config> seed_configs() const;
  // Whether the config's schedule can be any good for problem().size items.
  [[nodiscard]] bool suits(const Config& config) const;
};

// Whether the result of (problem, config) is bit-identical from run to run on one device: the association is fixed or
// the operator is exactly associative on the type.
[[nodiscard]] bool is_reproducible(const Problem& problem, const Config& config);

}  // namespace upsweep
