#include "report/facts.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "bench/summary.hpp"
#include "generator/algorithm.hpp"
#include "generator/device_limits.hpp"
#include "generator/space.hpp"
#include "report/fact_groups.hpp"

namespace upsweep::report {
namespace {

using bench::Who;
using tuning_db::Trial;
using tuning_db::Verdict;
using tuning_db::Winner;

constexpr std::size_t most_failures_shown = 200;  // of a search: the first of them
constexpr std::size_t longest_failure = 160;      // characters

bool measured(const Trial& trial) {
  const double us = trial.median_us();
  return trial.verdict == Verdict::measured && std::isfinite(us) && us > 0;
}

// ---- the default beside a winner

std::optional<Config> default_config(const Trial& trial) {
  if (trial.environment.generator != generator_version()) return std::nullopt;
  const std::optional<DeviceLimits> limits = limits_of(trial.device);
  if (!limits) return std::nullopt;
  try {
    return Space(trial.problem, *limits).default_config();
  } catch (const Error&) {
    return std::nullopt;  // a problem that this version does not know
  }
}

bool same_session(const Trial& a, const Trial& b) {
  return a.problem == b.problem && a.device == b.device && a.environment == b.environment && a.session == b.session;
}

// The default's trial that was measured best, and latest, of the winner's session. Where the default is not known, as
// of another generator: every search gives it first.
std::optional<Trial> default_of(const Trial& winner, const std::vector<const Trial*>& trials) {
  std::vector<const Trial*> session;
  for (const Trial* each : trials) {
    if (measured(*each) && same_session(*each, winner)) session.push_back(each);
  }
  if (session.empty()) return std::nullopt;
  std::optional<Config> config = default_config(winner);
  const auto has_it = [&](const Trial* each) { return each->config == *config; };
  if (!config) config = session.front()->config;
  const Trial* best = nullptr;
  for (const Trial* each : session) {
    if (has_it(each) && (best == nullptr || each->stage >= best->stage)) best = each;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

// ---- searches

std::string one_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  if (line.size() > longest_failure) line = tuning_db::as_utf8(line.substr(0, longest_failure)) + "...";
  return line;
}

// Steps of less than a percent are told together with the next one; first and last stay.
void drop_small_steps(std::vector<Step>& steps) {
  std::vector<Step> kept;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || i + 1 == steps.size() || steps[i].us < 0.99 * kept.back().us) kept.push_back(steps[i]);
  }
  steps = std::move(kept);
}

Progress progress_of(const std::vector<const Trial*>& trials) {
  Progress progress{trials.front()->problem.size, trials.front()->session, 0, {}, {}, 0};
  for (const Trial* each : trials) {
    ++progress.trials;
    const double us = each->median_us();
    if (!measured(*each)) {
      progress.failures.push_back({progress.trials, each->verdict, one_line(each->failure)});
    } else if (progress.steps.empty() || us < progress.steps.back().us) {
      progress.steps.push_back({progress.trials, us});
    }
  }
  progress.failed = static_cast<int>(progress.failures.size());
  if (progress.failures.size() > most_failures_shown) progress.failures.resize(most_failures_shown);
  drop_small_steps(progress.steps);
  return progress;
}

// Trials without a session belong together if device, environment and size are the same.
std::vector<Progress> searches_of(const std::vector<const Trial*>& trials) {
  std::vector<std::vector<const Trial*>> searches;
  std::map<std::tuple<std::uint64_t, std::string, std::string, std::string, std::string>, std::size_t> at;
  for (const Trial* each : trials) {
    const Environment& environment = each->environment;
    const auto [found, is_new] = at.try_emplace(
        {each->problem.size, each->session, environment.driver, environment.compiler, environment.generator},
        searches.size());
    if (is_new) searches.emplace_back();
    searches[found->second].push_back(each);
  }
  std::vector<Progress> made;
  for (const auto& each : searches) made.push_back(progress_of(each));
  std::ranges::stable_sort(made, {}, &Progress::size);
  return made;
}

// ---- importance

std::vector<RelativeTime> relative_times(const std::vector<const Trial*>& trials) {
  std::map<std::uint64_t, double> best;
  for (const Trial* each : trials) {
    if (!measured(*each)) continue;
    const auto at = best.try_emplace(each->problem.size, each->median_us()).first;
    at->second = std::min(at->second, each->median_us());
  }
  std::vector<RelativeTime> times;
  for (const Trial* each : trials) {
    if (measured(*each)) times.push_back({each->config, each->median_us() / best.at(each->problem.size)});
  }
  return times;
}

// ---- bringing it together

std::vector<SizeFacts> sizes_of(const Problem& problem, const FactGroup& group) {
  std::map<std::uint64_t, SizeFacts> sizes;
  for (const Winner* each : group.winners) {
    std::optional<Winner>& winner = sizes[each->trial.problem.size].winner;
    if (!winner || winner->trial.measured_at < each->trial.measured_at) winner = *each;
  }
  for (const auto& [size, rows] : group.rows) sizes[size].rows = rows;
  std::vector<SizeFacts> found;
  for (auto& [size, facts] : sizes) {
    Problem sized = problem;
    sized.size = facts.size = size;
    facts.bytes = bytes_moved(sized);
    if (facts.winner) facts.default_trial = default_of(facts.winner->trial, group.trials);
    found.push_back(std::move(facts));
  }
  return found;
}

ProblemFacts problem_of(const FactKey& key, const FactGroup& group) {
  ProblemFacts facts{key.device, key.problem, sizes_of(key.problem, group), searches_of(group.trials), {}, 0, 0};
  facts.importance = importance(relative_times(group.trials));
  facts.trials = static_cast<int>(group.trials.size());
  facts.failures = static_cast<int>(
      std::ranges::count_if(group.trials, [](const Trial* each) { return each->verdict != Verdict::measured; }));
  return facts;
}

std::vector<WinnerRow> rows_of(const FactGroup& group) {
  std::vector<WinnerRow> rows;
  for (const Winner* each : group.winners) {
    rows.push_back({*each, default_of(each->trial, group.trials), bytes_moved(each->trial.problem)});
  }
  std::ranges::stable_sort(rows, {}, [](const WinnerRow& row) { return row.winner.trial.problem.size; });
  return rows;
}

template <typename T>
void add_once(std::vector<T>& all, const T& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

void add_origin(Facts& facts, const Trial& trial) {
  if (facts.first_at.empty() || trial.measured_at < facts.first_at) facts.first_at = trial.measured_at;
  facts.last_at = std::max(facts.last_at, trial.measured_at);
  add_once(facts.environments, trial.environment);
}

void count(Facts& facts, const Sources& sources) {
  facts.trials = static_cast<int>(sources.trials.size());
  for (const Trial& each : sources.trials) {
    if (each.verdict != Verdict::measured) ++facts.failures[each.verdict];
    add_origin(facts, each);
  }
  for (const WinnerRow& each : facts.winners) add_origin(facts, each.winner.trial);  // shipped ones come without trials
  for (const BenchDocument& document : sources.documents) {
    for (const bench::Cell& cell : document.cells) {
      if (const bench::Row* const row = cell.row(Who::peer)) facts.peer = row->label;
    }
  }
}

// Of what `ratio` gives for each size.
template <typename Ratio>
std::optional<double> mean_over(const std::vector<SizeFacts>& sizes, Ratio&& ratio) {
  std::vector<double> factors;
  for (const SizeFacts& each : sizes) {
    if (const std::optional<double> factor = ratio(each)) factors.push_back(*factor);
  }
  if (factors.empty()) return std::nullopt;
  return bench::geometric_mean(factors);
}

std::optional<double> quotient(const std::optional<double>& above, const std::optional<double>& below) {
  if (!above || !below || !(*below > 0) || !(*above > 0)) return std::nullopt;
  return *above / *below;
}

}  // namespace

std::optional<double> SizeFacts::winner_us() const {
  if (winner) return winner->trial.median_us();
  return std::nullopt;
}

std::optional<double> SizeFacts::default_us() const {
  if (default_trial) return default_trial->median_us();
  return std::nullopt;
}

std::optional<double> SizeFacts::bench_us(Who who) const {
  const auto at = rows.find(who);
  return at == rows.end() ? std::nullopt : std::optional(at->second.median_us);
}

double SizeFacts::throughput() const {
  const std::optional<double> us = winner ? winner_us() : bench_us(Who::upsweep);
  return gigabytes_per_second(us.value_or(0));
}

std::optional<double> SizeFacts::over_default() const {
  return quotient(default_us(), winner_us());
}

std::optional<double> SizeFacts::over_peer() const {
  return quotient(bench_us(Who::peer), bench_us(Who::upsweep));
}

std::optional<double> ProblemFacts::over_default() const {
  return mean_over(sizes, [](const SizeFacts& each) { return each.over_default(); });
}

const SizeFacts* ProblemFacts::fastest() const {
  const SizeFacts* found = nullptr;
  for (const SizeFacts& each : sizes) {
    if (each.throughput() > 0 && (found == nullptr || each.throughput() > found->throughput())) found = &each;
  }
  return found;
}

std::optional<double> ProblemFacts::over_peer() const {
  return mean_over(sizes, [](const SizeFacts& each) { return each.over_peer(); });
}

double bytes_moved(const Problem& problem) {
  const std::uint64_t read = input_bytes(problem, problem.size);
  // A partition has room for more items than it writes: as many as it reads.
  const std::uint64_t written = is_partition(problem) ? read : output_bytes(problem, problem.size);
  return static_cast<double>(read) + static_cast<double>(written);
}

std::vector<WinnerRow> winner_rows(const Sources& sources) {
  std::vector<WinnerRow> rows;
  for (const auto& [key, group] : group(sources)) std::ranges::move(rows_of(group), std::back_inserter(rows));
  return rows;
}

Facts collect(const Sources& sources, const std::function<void(std::size_t, std::size_t)>& progress) {
  Facts facts;
  facts.database = sources.database;
  facts.made_at = sources.made_at;
  const FactGroups groups = group(sources);
  for (const auto& [key, group] : groups) {
    if (progress) progress(facts.problems.size(), groups.size());
    add_once(facts.devices, key.device);
    facts.problems.push_back(problem_of(key, group));
    std::ranges::move(rows_of(group), std::back_inserter(facts.winners));
  }
  count(facts, sources);
  facts.earnings = earnings_of(sources.documents);
  return facts;
}

}  // namespace upsweep::report
