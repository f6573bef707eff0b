// How a session ends: the best meet again in a final where there is time for one, and one of them wins.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/median.hpp"
#include "tuner/session/session.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Stage;
using tuning_db::Verdict;

constexpr int fewest_final_rounds = 3;
constexpr double final_share = 0.9;     // of the time for it: samples are not all that it takes
constexpr double doubtful_share = 0.1;  // by which configs that did not meet in turn may seem to differ

}  // namespace

// The winner so far stays where it does not matter, and before there was one, the default.
std::optional<std::size_t> Session::place_of_incumbent(const std::vector<Config>& configs) const {
  const auto at = std::find(configs.begin(), configs.end(), incumbent_.value_or(setting_.default_config));
  return at == configs.end() ? std::nullopt : std::optional<std::size_t>(at - configs.begin());
}

// Leaves out finalists, the slowest first, and rounds that there is no time for. False: there is none for a final.
bool Session::fit_final(std::vector<Config>& configs, FinalOptions& options) const {
  const double seconds = final_share * options_.seconds_for_final();
  if (std::isinf(seconds)) return true;
  const auto round_seconds = [&] {
    double us = 0;
    for (const Config& config : configs) us += std::max(known(config)->median_us, options.sample_us);
    return us * 1e-6;
  };
  const std::vector<Config> with_place = with_places({});
  const auto may_go = [&](const Config& config) {
    return config != ranking_.front().config &&
           std::find(with_place.begin(), with_place.end(), config) == with_place.end();
  };
  const auto slower = [&](const Config& a, const Config& b) {
    return std::pair(may_go(a), known(a)->median_us) < std::pair(may_go(b), known(b)->median_us);
  };
  while (fewest_final_rounds * round_seconds() > seconds) {
    const auto slowest = std::max_element(configs.begin(), configs.end(), slower);
    if (!may_go(*slowest)) return false;
    configs.erase(slowest);
  }
  int rounds = static_cast<int>(std::min(seconds / round_seconds(), 1e6));
  const int others = static_cast<int>(other_calls(setting_.problem.size).size());
  const int for_others = others * (options.other_samples + 2);  // with what warming up takes
  if (rounds < options.race.first_rounds + for_others) {
    options.other_samples = 0;
  } else {
    rounds -= for_others;
  }
  options.race.first_rounds = std::min(options.race.first_rounds, rounds);
  options.race.most_rounds = std::min(options.race.most_rounds, rounds);
  return true;
}

std::optional<TunedSize> Session::end_with_final() {
  std::vector<Config> configs;
  FinalOptions options{.move = options_.overlap && best_us() < placement_matters_below_us};
  std::optional<FinalResult> final;
  try {
    configs = with_places(options_.overlap ? best_as_launched() : best(finalist_count));
    if (!fit_final(configs, options)) return end_without_final();
    final = hold_final(parts_.runner, configs, place_of_incumbent(configs), setting_.problem.size, options);
  } catch (const base::Cancelled&) {
    return end_without_final();
  }
  if (!final) {
    throw DeviceError(fmt::format("none of the {} best configs for {} ran in the final comparison on {}",
                                  configs.size(), to_string(setting_.problem), setting_.device.name));
  }
  std::optional<TunedSize> result;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const Outcome outcome = outcome_of(*known(configs[i]), final->finalists[i].race.samples_us);
    if (final->finalists[i].failed) {
      fail(configs[i], Verdict::failed, "ran in the search but failed in the final comparison", {});
      continue;
    }
    const double us = base::median(outcome.samples_us);
    const std::size_t row = record(configs[i], Stage::final, outcome);
    parts_.search.report(configs[i], us);
    if (configs[i] == setting_.default_config) default_us_ = us;
    if (i != final->winner) continue;
    rows_.write();
    parts_.database.set_winner(rows_.id(row));
    result = tuned(configs[i], us);
  }
  rows_.write();
  result->default_us = default_us_;
  parts_.runner.keep_only(std::span(&configs[final->winner], 1));
  return result;
}

// What was measured alone is no reason to give up a winner that was found in a final, unless it is faster beyond doubt.
std::optional<TunedSize> Session::end_without_final() {
  const Measured& best = ranking_.front();
  const Measured* const winner = incumbent_ ? known(*incumbent_) : nullptr;
  const double doubt = 1 + std::max(doubtful_share, 5 * noise_);
  if (winner != nullptr && winner->median_us <= best.median_us * doubt) return tuned(winner->config, winner->median_us);
  if (winner != nullptr || !incumbent_) parts_.database.set_winner(rows_.id(best.row));
  return tuned(best.config, best.median_us);
}

TunedSize Session::tuned(const Config& winner, double us) const {
  return {.size = setting_.problem.size,
          .winner = winner,
          .winner_us = us,
          .default_us = default_us_,
          .trials = trials_,
          .failures = failures_,
          .pruned = pruned_,
          .earlier = earlier_,
          .noise = noise_};
}

}  // namespace upsweep::tuner
