#include "tuner/session/sides.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/logging.hpp"
#include "generator/problem_family.hpp"
#include "generator/space.hpp"
#include "tuner/measure/rotation_memory.hpp"
#include "tuner/session/final.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Stage;
using tuning_db::Trial;
using tuning_db::Verdict;

constexpr std::size_t side_finalists = 4;  // besides the incumbent
constexpr int side_samples = 3;
constexpr double side_sample_us = 250;
// A candidate that takes this many times as long as the fastest so far is not worth a comparison.
constexpr double slowest_factor = 2;
// They were chosen with all kinds of calls, so that all are timed with all.
FinalOptions final_options(const Problem& problem) {
  return {.race = {.first_rounds = 6, .more_rounds = 4, .most_rounds = 14},
          .sample_us = 500,
          .other_samples = 6,
          .other_margin = 1,
          .densities = other_densities(problem)};
}

class SideContest {
 public:
  SideContest(const Setting& setting, const SideParts& parts)
      : setting_(setting),
        parts_(parts),
        rows_(parts.database, setting),
        calls_(other_calls(setting.problem.size)),
        options_(final_options(setting.problem)) {
    calls_.insert(calls_.begin(), CallKind{setting.problem.size});
    for (const Density density : options_.densities) calls_.push_back({setting.problem.size, false, density});
  }

  bool run(std::span<const Config> candidates) {
    const std::optional<Config> incumbent = find_incumbent(parts_.database, setting_);
    std::vector<Config> configs(candidates.begin(), candidates.end());
    if (incumbent && std::find(configs.begin(), configs.end(), *incumbent) == configs.end()) {
      configs.push_back(*incumbent);
    }
    configs = best(sound(compiled(configs)), incumbent);
    if (configs.empty()) return false;
    const auto at = incumbent ? std::find(configs.begin(), configs.end(), *incumbent) : configs.end();
    std::optional<std::size_t> place;
    if (at != configs.end()) place = static_cast<std::size_t>(at - configs.begin());
    const auto result = hold_final(parts_.runner, configs, place, setting_.problem.size, options_);
    if (!result) return false;
    record(*result);
    return true;
  }

 private:
  [[nodiscard]] std::vector<Config> compiled(const std::vector<Config>& configs) const {
    parts_.compilations.forget_pending();
    for (const Config& config : configs) parts_.compilations.submit(config);
    std::set<Config> good;
    while (parts_.compilations.pending() > 0) {
      CompileResult result = parts_.compilations.wait();
      if (result.verdict == Verdict::measured) good.insert(std::move(result.config));
    }
    std::vector<Config> left = configs;
    std::erase_if(left, [&](const Config& config) { return !good.contains(config); });
    return left;
  }

  // Those that are right with the greatest of the sizes and not hopelessly slow. What failed is a row.
  [[nodiscard]] std::vector<Config> sound(const std::vector<Config>& configs) {
    RunRequest request{.samples = 3, .sample_us = side_sample_us, .replay = false};
    for (const CallKind& call : calls_) request.size = std::max(request.size, call.size);
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::pair<double, const Config*>> timed;
    for (const Config& config : configs) {
      request.limit_us = slowest_factor * least;
      const Outcome outcome = parts_.runner.run(config, request);
      if (outcome.verdict == Verdict::measured) {
        // The quickest: on a busy host a sample may take several times as long.
        timed.emplace_back(*std::min_element(outcome.samples_us.begin(), outcome.samples_us.end()), &config);
        least = std::min(least, timed.back().first);
      } else if (!outcome.may_pass) {
        rows_.add(config, Stage::probe, outcome, request.size);
      }
    }
    std::vector<Config> left;
    for (const auto& [us, config] : timed) {
      if (us <= slowest_factor * least) left.push_back(*config);
    }
    return left;
  }

  // By config, the logarithm of the geometric mean of its times, less the lowest of all configs; or where it is
  // greater, that of its time with data of a density. As the final judges.
  [[nodiscard]] std::vector<double> costs_of(const std::vector<Config>& configs) {
    std::vector<double> means(configs.size()), worst(configs.size());
    const auto of_data = static_cast<double>(calls_.size() - options_.densities.size());
    for (const CallKind& call : calls_) {
      const RunRequest request{.size = call.size,
                               .misaligned = call.misaligned,
                               .density = call.density,
                               .samples = side_samples,
                               .sample_us = side_sample_us,
                               .replay = false};
      const std::vector<std::vector<double>> samples = parts_.runner.run_in_turn(configs, request);
      std::vector<double> logs;
      for (const std::vector<double>& taken : samples) logs.push_back(std::log(trimmed_mean(taken)));
      const double least = *std::min_element(logs.begin(), logs.end());
      for (std::size_t i = 0; i < configs.size(); ++i) {
        if (call.density == Density::unknown) {
          means[i] += logs[i] / of_data;
        } else {
          worst[i] = std::max(worst[i], logs[i] - least);
        }
      }
    }
    const double least = *std::min_element(means.begin(), means.end());
    for (std::size_t i = 0; i < configs.size(); ++i) worst[i] = std::max(worst[i], means[i] - least);
    return worst;
  }

  // Those of the lowest cost, and the incumbent.
  [[nodiscard]] std::vector<Config> best(const std::vector<Config>& configs, const std::optional<Config>& incumbent) {
    if (configs.size() <= side_finalists) return configs;
    const std::vector<double> scores = costs_of(configs);
    std::vector<std::size_t> order(configs.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
    std::vector<Config> left;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i < side_finalists || configs[order[i]] == incumbent) left.push_back(configs[order[i]]);
    }
    return left;
  }

  void record(const FinalResult& result) {
    std::size_t winner = 0;
    for (std::size_t i = 0; i < result.finalists.size(); ++i) {
      const Finalist& finalist = result.finalists[i];
      if (finalist.failed) continue;
      const std::size_t row = rows_.add(finalist.config, Stage::final, {.samples_us = finalist.race.samples_us});
      if (i == result.winner) winner = row;
    }
    rows_.set_winner(winner);
  }

  const Setting& setting_;
  SideParts parts_;
  TrialLog rows_;
  std::vector<CallKind> calls_;  // that the winner is for
  FinalOptions options_;
};

// None where the side has no sizes, or the memory holds the power of two and no more.
std::optional<Setting> setting_of(const SidePass& pass, int exponent, SizeSide side) {
  const std::vector<std::uint64_t> sizes = typical_sizes(exponent, side);
  if (sizes.empty()) return std::nullopt;
  Problem problem = pass.problem;
  problem.size = *std::max_element(sizes.begin(), sizes.end());
  try {
    check_size(problem, pass.engine.device());
  } catch (const UsageError&) {
    return std::nullopt;
  }
  problem.size = sizes.front();
  return Setting{.device = pass.engine.device().identity(),
                 .limits = pass.engine.device().limits(),
                 .environment = pass.engine.environment(),
                 .problem = problem,
                 .session = pass.session};
}

void add_shipped(std::vector<tuning_db::Winner>& winners, const Problem& problem) {
  for (const tuning_db::Winner& shipped : tuning_db::shipped_winners()) {
    if (same_but_for_size(shipped.trial.problem, problem)) winners.push_back(shipped);
  }
}

struct Contest {
  Setting setting;
  std::vector<Config> candidates;
};

// The largest sizes first: what is right there need not be checked for the others.
std::vector<Contest> contests(const SidePass& pass, const SideParts& parts, const Shortlists& shortlists) {
  const bool unmeasured = pass.engine.device().target() == Target::cuda && !pass.restricted;
  std::vector<tuning_db::Winner> winners;
  if (!pass.restricted) winners = parts.database.winners({.problem = pass.problem});
  if (unmeasured) add_shipped(winners, pass.problem);
  std::vector<Contest> all;
  for (auto tuned = shortlists.rbegin(); tuned != shortlists.rend(); ++tuned) {
    if (size_side(tuned->first) != SizeSide::at) continue;
    for (const SizeSide side : {SizeSide::above, SizeSide::below}) {
      std::optional<Setting> setting = setting_of(pass, size_class(tuned->first), side);
      if (!setting) continue;
      std::vector<Config> candidates = side_candidates(*setting, tuned->second, winners, unmeasured);
      all.push_back({*std::move(setting), std::move(candidates)});
    }
  }
  return all;
}

}  // namespace

std::vector<Config> side_candidates(const Setting& setting, std::span<const Config> given,
                                    std::span<const tuning_db::Winner> winners, bool unmeasured) {
  const Space space(setting.problem, setting.limits);
  std::vector<Config> configs;
  const auto add = [&](const Config& config) {
    if (!space.contains(config) || !space.suits(config)) return;
    if (std::find(configs.begin(), configs.end(), config) == configs.end()) configs.push_back(config);
  };
  for (const Config& config : given) add(config);
  for (const tuning_db::Winner& winner : winners) {
    const bool same = same_but_for_size(winner.trial.problem, setting.problem);
    const bool near = std::abs(winner.size_class - size_class(setting.problem.size)) <= 1;
    if (same && near && winner.trial.device == setting.device) add(winner.trial.config);
  }
  if (!unmeasured) return configs;
  for (const Config& config : space.seed_configs()) add(config);
  return configs;
}

bool hold_side_contest(const Setting& setting, const SideParts& parts, std::span<const Config> candidates) {
  return SideContest(setting, parts).run(candidates);
}

int find_side_winners(const SidePass& pass, const SideParts& parts, const Shortlists& shortlists) {
  int found = 0;
  try {
    const std::vector<Contest> all = contests(pass, parts, shortlists);
    for (const Contest& contest : all) {
      for (const Config& config : contest.candidates) parts.compilations.compile_ahead(config);
    }
    for (const Contest& contest : all) found += hold_side_contest(contest.setting, parts, contest.candidates) ? 1 : 0;
  } catch (const base::Cancelled&) {
    parts.compilations.forget_pending();
  } catch (const DatabaseError&) {
    throw;
  } catch (const Error& error) {
    parts.compilations.forget_pending();
    warn(fmt::format("not all winners for the sizes beside powers of two were found: {}", error.what()));
  }
  return found;
}

}  // namespace upsweep::tuner
