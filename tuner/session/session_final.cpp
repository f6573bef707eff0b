// How a session ends: the best meet again in a final where there is time for one, and one of them wins.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/median.hpp"
#include "tuner/session/session.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Stage;
using tuning_db::Verdict;

constexpr double placement_matters_below_us = 60;
constexpr int fewest_final_rounds = 3;
constexpr double final_share = 0.9;  // of the time for it: samples are not all that it takes
// By which configs that did not meet in turn may seem to differ, or by five times the noise where that is more.
constexpr double uncertain_share = 0.1;
// Launched calls of small kernels are ordered a little differently than the replayed ones by which configs are found,
// and those with workspaces elsewhere.
constexpr double pre_final_factor = 1.1;    // times the best, replayed: as far as the order may differ
constexpr std::size_t pre_final_size = 12;  // configs
constexpr int pre_final_alike = 3;          // of them with as many blocks and threads
constexpr int pre_final_samples = 3;
constexpr double density_factor = 1.5;  // times the best: configs of other schedules that may be better for a density

// Leaves out finalists, the slowest first, and rounds that there is no time for. False: there is none for a final.
bool fit_final(std::vector<Config>& configs, FinalOptions& options, const Ranking& ranking, std::uint64_t size,
               double seconds) {
  if (std::isinf(seconds)) return true;
  const auto us_of = [&](const Config& config) { return ranking.find(config)->median_us; };
  const auto round_seconds = [&] {
    double us = 0;
    for (const Config& config : configs) us += std::max(us_of(config), options.sample_us);
    return us * 1e-6;
  };
  const auto may_go = [&](const Config& config) {
    return config != ranking.all().front().config && !ranking.has_place(config);
  };
  const auto slower = [&](const Config& a, const Config& b) {
    return std::pair(may_go(a), us_of(a)) < std::pair(may_go(b), us_of(b));
  };
  while (fewest_final_rounds * round_seconds() > seconds) {
    const auto slowest = std::max_element(configs.begin(), configs.end(), slower);
    if (!may_go(*slowest)) return false;
    configs.erase(slowest);
  }
  int rounds = static_cast<int>(std::min(seconds / round_seconds(), 1e6));
  // With what warming up takes. Slow configs for a density may take twice as long as with the problem's own data.
  const int for_densities = 2 * static_cast<int>(options.densities.size()) * (options.density_samples + 2);
  if (rounds < options.race.first_rounds + for_densities) {
    options.densities.clear();
  } else {
    rounds -= for_densities;
  }
  const int for_others = static_cast<int>(other_calls(size).size()) * (options.other_samples + 2);
  if (rounds < options.race.first_rounds + for_others) {
    options.other_samples = 0;
  } else {
    rounds -= for_others;
  }
  options.race.first_rounds = std::min(options.race.first_rounds, rounds);
  options.race.most_rounds = std::min(options.race.most_rounds, rounds);
  return true;
}

// Of the best of each number of blocks and threads, those that are the fastest when they are launched.
std::vector<Config> best_as_launched(const Ranking& ranking, const Pruner& pruner, const Setting& setting,
                                     Runner& runner) {
  if (ranking.all().size() <= finalist_count || ranking.best_us() >= placement_matters_below_us) {
    return ranking.best(finalist_count);
  }
  std::vector<Config> configs;
  std::map<std::vector<std::pair<std::uint64_t, int>>, int> alike;
  for (const Measured& measured : ranking.all()) {
    if (configs.size() == pre_final_size || measured.median_us > ranking.best_us() * pre_final_factor) break;
    std::vector<std::pair<std::uint64_t, int>> launched;
    for (const LaunchRule& launch : pruner.launches_of(measured.config)) {
      launched.emplace_back(launch.blocks(setting.problem.size, setting.limits.multiprocessors),
                            launch.threads_per_block);
    }
    if (alike[launched]++ < pre_final_alike) configs.push_back(measured.config);
  }
  if (configs.size() <= finalist_count) return ranking.best(finalist_count);
  const Samples samples = runner.run_in_turn(
      configs,
      {.size = setting.problem.size, .samples = pre_final_samples, .replay = false, .moves = pre_final_samples});
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < configs.size(); ++i) order.emplace_back(trimmed_mean(samples[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<Config> found;
  for (std::size_t i = 0; i < finalist_count; ++i) found.push_back(configs[order[i].second]);
  return found;
}

TunedSize with_winner(TunedSize tuned, const Config& winner, double us) {
  tuned.winner = winner;
  tuned.winner_us = us;
  return tuned;
}

}  // namespace

TunedSize Session::end_with_final() {
  std::vector<Config> configs;
  FinalOptions options{.move = options_.overlap && ranking_.best_us() < placement_matters_below_us,
                       .densities = other_densities(setting_.problem)};
  std::optional<FinalResult> final;
  try {
    configs = ranking_.with_places(options_.overlap ? best_as_launched(ranking_, pruner_, setting_, parts_.runner)
                                                    : ranking_.best(finalist_count));
    // Other schedules may be better with other data.
    if (!options.densities.empty()) configs = ranking_.with_schedules(std::move(configs), density_factor);
    const double seconds = final_share * options_.seconds_for_final();
    if (!fit_final(configs, options, ranking_, setting_.problem.size, seconds)) return end_without_final();
    final = hold_final(parts_.runner, configs, ranking_.place_of_incumbent(configs), setting_.problem.size, options);
  } catch (const base::Cancelled&) {
    return end_without_final();
  }
  if (!final) {
    throw DeviceError(fmt::format("none of the {} best configs for {} ran in the final comparison on {}",
                                  configs.size(), to_string(setting_.problem), setting_.device.name));
  }
  double winner_us = 0;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const Finalist& finalist = final->finalists[i];
    if (finalist.failed) {
      fail(configs[i], Verdict::failed, "ran in the search but failed in the final comparison", {});
      continue;
    }
    const double us = base::median(finalist.race.samples_us);
    const Measured& measured = *ranking_.find(configs[i]);
    const std::size_t row = record(configs[i], Stage::final, measured.outcome(finalist.race.samples_us));
    parts_.search.report(configs[i], us);
    if (configs[i] == default_) so_far_.default_us = us;
    if (i != final->winner) continue;
    rows_.set_winner(row);
    winner_us = us;
  }
  rows_.write();
  const Config& winner = configs[final->winner];
  parts_.runner.keep_only(std::span(&winner, 1));
  return with_winner(so_far_, winner, winner_us);
}

// What was measured alone is no reason to give up a winner that was found in a final, unless it is faster by more than
// such measurements are uncertain.
TunedSize Session::end_without_final() {
  const Measured& best = ranking_.all().front();
  const Measured* const winner = ranking_.incumbent() ? ranking_.find(*ranking_.incumbent()) : nullptr;
  const double uncertain = 1 + std::max(uncertain_share, 5 * so_far_.noise);
  if (winner != nullptr && winner->median_us <= best.median_us * uncertain) {
    return with_winner(so_far_, winner->config, winner->median_us);
  }
  if (winner != nullptr || !ranking_.incumbent()) rows_.set_winner(best.row);
  return with_winner(so_far_, best.config, best.median_us);
}

}  // namespace upsweep::tuner
