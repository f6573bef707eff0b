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

using Ordered = std::vector<std::pair<double, const Config*>>;

void sort(Ordered& order) {
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

}  // namespace

std::vector<Config> known_configs(std::span<const tuning_db::Winner> winners, const DeviceIdentity& device,
                                  const Problem& problem, std::size_t most) {
  Ordered near, fast;
  for (const tuning_db::Winner& winner : winners) {
    const auto far = distance(winner, device, problem);
    if (!far) continue;
    near.emplace_back(*far, &winner.trial.config);
    const bool comparable = winner.trial.device == device && winner.size_class == size_class(problem.size);
    if (!comparable || winner.trial.samples_us.empty()) continue;
    fast.emplace_back(winner.trial.median_us() / static_cast<double>(winner.trial.problem.size), &winner.trial.config);
  }
  sort(near);
  sort(fast);
  std::vector<Config> configs;
  const auto add = [&](const Ordered& order, std::size_t at) {
    if (at >= order.size() || configs.size() == most) return;
    const Config& config = *order[at].second;
    if (std::find(configs.begin(), configs.end(), config) == configs.end()) configs.push_back(config);
  };
  for (std::size_t i = 0; i < near.size() && configs.size() < most; ++i) {
    add(near, i);
    add(fast, i);
  }
  return configs;
}

}  // namespace upsweep::tuner
