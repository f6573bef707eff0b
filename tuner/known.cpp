#include "tuner/known.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace upsweep::tuner {
namespace {

bool same_widths(const Problem& a, const Problem& b) {
  return size_of(a.input) == size_of(b.input) && size_of(a.accumulator) == size_of(b.accumulator) &&
         size_of(a.output) == size_of(b.output);
}

// In doublings of the size: what another operator or type is worth was not measured, it is a guess that orders them.
std::optional<double> distance(const tuning_db::Winner& winner, const DeviceIdentity& device, const Problem& problem) {
  const Problem& other = winner.trial.problem;
  const bool reduce = problem.algorithm == Algorithm::reduce;
  if (reduce != (other.algorithm == Algorithm::reduce) || !same_widths(problem, other)) return std::nullopt;
  double far = std::abs(winner.size_class - size_class(problem.size));
  if (other.algorithm != problem.algorithm) far += 0.5;
  if (other.input != problem.input || other.accumulator != problem.accumulator) far += 0.6;
  if (other.op != problem.op) far += 0.7;
  if (winner.trial.device != device) far += 3;
  return far;
}

}  // namespace

std::vector<Config> known_configs(std::span<const tuning_db::Winner> winners, const DeviceIdentity& device,
                                  const Problem& problem, std::size_t most) {
  std::vector<std::pair<double, const Config*>> order;
  for (const tuning_db::Winner& winner : winners) {
    if (const auto far = distance(winner, device, problem)) order.emplace_back(*far, &winner.trial.config);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Config> configs;
  for (const auto& [far, config] : order) {
    if (configs.size() == most) break;
    if (std::find(configs.begin(), configs.end(), *config) == configs.end()) configs.push_back(*config);
  }
  return configs;
}

}  // namespace upsweep::tuner
