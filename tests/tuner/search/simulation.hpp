// Searches replayed on recorded spaces: how soon they are how near the optimum.
#pragma once

#include <array>
#include <functional>

#include "tests/tuner/search/recorded_space.hpp"
#include "tuner/search/search.hpp"

namespace upsweep::tuner {

inline constexpr std::array checkpoints{20, 40, 60, 100, 150, 250};

// Of many searches that differ in their seeds. What a search has reached is the optimum's time over the recorded time
// of the best config it was told of: that noise hides it is for the final to mend.
struct Simulated {
  std::array<double, checkpoints.size()> mean_fraction{};
  double mean_to_97 =
      0;  // evaluations until 97% of the optimum; those that never got there count with the last checkpoint
  double mean_to_99 = 0;
};

using Factory = std::function<std::unique_ptr<Search>(const SearchSpace&, const SearchOptions&)>;

struct SimulationSettings {
  int seeds = 100;
  bool seed_configs = true;
};

// Each time that is reported is the recorded one with noise, a relative standard deviation.
[[nodiscard]] Simulated simulate(const Factory& factory, const RecordedSpace& space, double noise,
                                 const SimulationSettings& settings = {});

}  // namespace upsweep::tuner
