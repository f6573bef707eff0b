#include "generator/density.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/algorithm.hpp"

namespace upsweep {
namespace {

// A run without an end would leave nothing to emit until the call ends; this one is longer than the tiles of any
// config.
constexpr double longest_mean_run = 1e5;

struct Class {
  Density density;
  std::string_view name;
  double results_per_item;
};

constexpr std::array classes{Class{Density::none, "0", 0},         Class{Density::few, "0.01", 0.01},
                             Class{Density::some, "0.125", 0.125}, Class{Density::half, "0.5", 0.5},
                             Class{Density::most, "0.99", 0.99},   Class{Density::all, "1", 1}};

const Class& class_of(Density density) noexcept {
  return classes[static_cast<std::size_t>(density) - 1];
}

}  // namespace

std::span<const Density> all_densities() noexcept {
  static constexpr std::array densities{Density::none, Density::few,  Density::some,
                                        Density::half, Density::most, Density::all};
  return densities;
}

std::string_view name(Density density) noexcept {
  return density == Density::unknown ? std::string_view() : class_of(density).name;
}

Density parse_density(const std::string& text) {
  const auto at = std::find_if(classes.begin(), classes.end(), [&](const Class& each) { return each.name == text; });
  if (at != classes.end()) return at->density;
  throw UsageError(fmt::format("unknown density '{}': use 0, 0.01, 0.125, 0.5, 0.99 or 1", base::clipped(text)));
}

double results_per_item(Density density) noexcept {
  return class_of(density).results_per_item;
}

double mean_run_length(Density density) noexcept {
  return density == Density::none ? longest_mean_run : 1 / results_per_item(density);
}

bool takes_density(const Problem& problem) {
  const AlgorithmEntry& entry = entry_of(problem);
  if (is_partition(problem) || (entry.fold == Fold::flagged_values && problem.shape == Shape::flat)) return true;
  const std::vector<Port> all = ports(problem);
  return std::any_of(all.begin(), all.end(), [](const Port& port) { return port.extent == Extent::at_most_n; });
}

int density_distance(Density measured, Density asked) noexcept {
  if (measured == asked) return 0;
  if (measured == Density::unknown) return 1;
  // Who asks for none may have any number of results.
  const Density wanted = asked == Density::unknown ? Density::half : asked;
  return 2 + std::abs(static_cast<int>(measured) - static_cast<int>(wanted));
}

Density density_class(double results_per_item) {
  if (!(results_per_item >= 0 && results_per_item <= 1)) {
    throw UsageError(
        fmt::format("a density of {} is not possible: give results per item, from 0 to 1", results_per_item));
  }
  constexpr std::array least{0.005, 0.0675, 0.3125, 0.745, 0.995};  // of the classes after the first
  const auto above = std::upper_bound(least.begin(), least.end(), results_per_item) - least.begin();
  return classes[static_cast<std::size_t>(above)].density;
}

}  // namespace upsweep
