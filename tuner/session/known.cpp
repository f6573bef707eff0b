#include "tuner/session/known.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "generator/problem_family.hpp"
#include "generator/shape.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::tuner {
namespace {

// In doublings of the size: what another operator or type is worth was not measured, it is a guess that orders them.
std::optional<double> distance(const tuning_db::Winner& winner, const DeviceIdentity& device, const Problem& problem) {
  const Problem& other = winner.trial.problem;
  if (nearness(problem, other) < Nearness::same_widths) return std::nullopt;
  double far = std::abs(winner.size_class - size_class(problem.size));
  if (other.algorithm != problem.algorithm) far += 0.5;
  if (other.input != problem.input || other.accumulator != problem.accumulator) far += 0.6;
  if (other.op != problem.op) far += 0.7;
  if (other.density != problem.density) far += 0.25;
  far += 0.25 * row_length_distance(other, problem);
  if (winner.trial.device != device) far += 3;
  return far;
}

using Ordered = std::vector<std::pair<double, const Config*>>;

void sort(Ordered& order) {
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

constexpr std::size_t refreshed_trials = 6;  // besides the winners

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

std::vector<Config> finalists_of_earlier(const tuning_db::Database& database, const DeviceIdentity& device,
                                         const Problem& problem) {
  std::vector<Config> configs;
  const auto add = [&](const Config& config) {
    if (std::find(configs.begin(), configs.end(), config) == configs.end()) configs.push_back(config);
  };
  const tuning_db::Filter place{
      .device = device, .problem = problem, .size_class = size_class(problem.size), .failures = false};
  for (const tuning_db::Winner& winner : database.winners(place)) add(winner.trial.config);
  std::vector<tuning_db::Trial> trials = database.trials(place);
  std::stable_sort(trials.begin(), trials.end(),
                   [](const auto& a, const auto& b) { return a.median_us() < b.median_us(); });
  const std::size_t most = configs.size() + refreshed_trials;
  for (const tuning_db::Trial& trial : trials) {
    if (configs.size() < most) add(trial.config);
  }
  return configs;
}

std::vector<tuning_db::Winner> winners_of_others(const tuning_db::Database& database, const Problem& problem) {
  std::vector<tuning_db::Winner> winners = database.winners();
  std::erase_if(winners,
                [&](const tuning_db::Winner& winner) { return same_but_for_size(winner.trial.problem, problem); });
  const std::vector<tuning_db::Winner>& shipped = tuning_db::shipped_winners();
  winners.insert(winners.end(), shipped.begin(), shipped.end());
  return winners;
}

}  // namespace upsweep::tuner
