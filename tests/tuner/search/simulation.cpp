#include "tests/tuner/search/simulation.hpp"

#include <algorithm>
#include <limits>

#include "tuner/search/trees.hpp"

namespace upsweep::tuner {
namespace {

// Nearly normal, with a standard deviation of 1: the sum of twelve uniform numbers.
double normal(std::mt19937_64& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(random);
  return sum;
}

// The fraction of the optimum reached after each evaluation.
std::vector<double> one_search(Search& search, const RecordedSpace& space, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed * 7919);
  double best = std::numeric_limits<double>::infinity();
  std::vector<double> fractions;
  while (static_cast<int>(fractions.size()) < checkpoints.back()) {
    const std::optional<Config> config = search.next();
    if (!config) break;
    std::optional<double> us = space.time(*config);
    if (us) {
      best = std::min(best, *us);
      us = *us * (1 + noise * normal(random));
    }
    search.report(*config, us);
    fractions.push_back(space.optimum_us() / best);
  }
  fractions.resize(static_cast<std::size_t>(checkpoints.back()), fractions.back());
  return fractions;
}

double first_at(const std::vector<double>& fractions, double wanted) {
  const auto at = std::find_if(fractions.begin(), fractions.end(), [&](double fraction) { return fraction >= wanted; });
  return static_cast<double>(std::min<std::ptrdiff_t>(at - fractions.begin() + 1, checkpoints.back()));
}

}  // namespace

Simulated simulate(const Factory& factory, const RecordedSpace& space, double noise,
                   const SimulationSettings& settings) {
  Simulated mean;
  for (int seed = 1; seed <= settings.seeds; ++seed) {
    const auto search =
        factory(space, {.seed = static_cast<std::uint64_t>(seed), .seed_configs = settings.seed_configs});
    const std::vector<double> fractions = one_search(*search, space, noise, static_cast<std::uint64_t>(seed));
    for (std::size_t i = 0; i < checkpoints.size(); ++i) {
      mean.mean_fraction[i] += fractions[static_cast<std::size_t>(checkpoints[i]) - 1] / settings.seeds;
    }
    mean.mean_to_97 += first_at(fractions, 0.97) / settings.seeds;
    mean.mean_to_99 += first_at(fractions, 0.99) / settings.seeds;
  }
  return mean;
}

}  // namespace upsweep::tuner
