// Configs of a space other than its default, by the search's own arithmetic.
#pragma once

#include <random>
#include <vector>

#include "tuner/search/space.hpp"

namespace upsweep::test {

// A valid config, each with the same chance, also of schedules that do not suit the size.
inline Config sample(const Space& space, std::mt19937_64& random) {
  const tuner::GeneratedSpace points(space.problem(), space.limits());
  while (true) {
    const std::uint64_t index = random() % points.points();
    if (points.contains(index)) return points.point(index);
  }
}

// The valid configs that differ in one parameter by one step (any other value for strategies).
inline std::vector<Config> neighbours(const Space& space, const Config& config) {
  const tuner::GeneratedSpace points(space.problem(), space.limits());
  std::vector<Config> found;
  for (const std::uint64_t index : points.neighbours(points.index_of(config).value())) {
    found.push_back(points.point(index));
  }
  return found;
}

}  // namespace upsweep::test
