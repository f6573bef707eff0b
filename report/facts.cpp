#include "report/facts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "bench/summary.hpp"
#include "generator/algorithm.hpp"
#include "generator/device_limits.hpp"
#include "generator/problem_family.hpp"
#include "generator/space.hpp"
#include "tuner/session/final.hpp"

namespace upsweep::report {
namespace {

using bench::Who;
using tuning_db::Stage;
using tuning_db::Trial;
using tuning_db::Verdict;
using tuning_db::Winner;

constexpr std::size_t most_failures_shown = 200;  // of a search: the first of them
constexpr std::size_t longest_failure = 160;      // characters

bool measured(const Trial& trial) {
  const double us = trial.median_us();
  return trial.verdict == Verdict::measured && std::isfinite(us) && us > 0;
}

Problem of_no_size(Problem problem) {
  problem.size = 0;
  return problem;
}

auto order_of(const DeviceIdentity& device) {
  return std::tie(device.name, device.compute_major, device.compute_minor, device.multiprocessors,
                  device.memory_bus_bits, device.memory_clock_khz, device.ecc);
}

struct Key {
  DeviceIdentity device;
  Problem problem;
  bool operator<(const Key& other) const {
    const auto mine = order_of(device), its = order_of(other.device);
    return mine != its ? mine < its : problem < other.problem;
  }
};

// All that is known of one problem on one device, by reference into the sources.
struct Group {
  std::vector<const Trial*> trials;
  std::vector<const Winner*> winners;
  std::map<std::uint64_t, std::map<Who, bench::Row>> rows;
};

using FactGroups = std::map<Key, Group>;

bool same_case(const Winner& a, const Winner& b) {
  return a.size_class == b.size_class && size_side(a.trial.problem.size) == size_side(b.trial.problem.size) &&
         a.trial.device == b.trial.device && same_but_for_size(a.trial.problem, b.trial.problem);
}

// Size classes whose power of two has a winner.
using Powers = std::set<std::pair<Key, int>>;

Powers powers_of(const Sources& sources) {
  Powers powers;
  for (const std::vector<Winner>* winners : {&sources.winners, &sources.shipped}) {
    for (const Winner& each : *winners) {
      if (size_side(each.trial.problem.size) != SizeSide::at) continue;
      powers.insert({{each.trial.device, of_no_size(each.trial.problem)}, each.size_class});
    }
  }
  return powers;
}

// Whether the trial is one of those that a tune makes beside a power of two: they would be more points than the sizes
// that somebody asked for.
bool is_beside(const Trial& trial, const Powers& powers) {
  const std::uint64_t size = trial.problem.size;
  if (size_side(size) == SizeSide::at ||
      !powers.contains({{trial.device, of_no_size(trial.problem)}, size_class(size)})) {
    return false;
  }
  const std::vector<std::uint64_t> sizes = tuner::typical_sizes(size_class(size), size_side(size));
  return std::ranges::find(sizes, size) != sizes.end();
}

void add_winners(FactGroups& groups, const Sources& sources, const Powers& powers) {
  const auto add = [&](const Winner& winner) {
    if (is_beside(winner.trial, powers)) return;
    groups[{winner.trial.device, of_no_size(winner.trial.problem)}].winners.push_back(&winner);
  };
  for (const Winner& each : sources.winners) add(each);
  for (const Winner& each : sources.shipped) {
    const auto has = [&](const Winner& own) { return same_case(own, each); };
    if (std::ranges::none_of(sources.winners, has)) add(each);
  }
}

// A bench document knows its device by name only: it goes to every device of that name, or makes one.
void add_rows(FactGroups& groups, const BenchDocument& document) {
  std::vector<DeviceIdentity> devices;
  for (const auto& [key, group] : groups) {
    if (key.device.name == document.device && std::ranges::find(devices, key.device) == devices.end()) {
      devices.push_back(key.device);
    }
  }
  if (devices.empty()) {
    devices.emplace_back();
    devices.back().name = document.device;
  }
  for (const DeviceIdentity& device : devices) {
    for (const bench::Cell& cell : document.cells) {
      std::map<Who, bench::Row>& rows = groups[{device, of_no_size(cell.problem)}].rows[cell.problem.size];
      rows.clear();
      for (const bench::Row& row : cell.rows) rows[row.who] = row;
    }
  }
}

FactGroups group(const Sources& sources) {
  FactGroups groups;
  const Powers powers = powers_of(sources);
  for (const Trial& trial : sources.trials) {
    if (!is_beside(trial, powers)) groups[{trial.device, of_no_size(trial.problem)}].trials.push_back(&trial);
  }
  add_winners(groups, sources, powers);
  for (const BenchDocument& each : sources.documents) add_rows(groups, each);
  return groups;
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

std::vector<SizeFacts> sizes_of(const Problem& problem, const Group& group) {
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

ProblemFacts problem_of(const Key& key, const Group& group) {
  ProblemFacts facts{key.device, key.problem, sizes_of(key.problem, group), searches_of(group.trials), {}, 0, 0};
  facts.importance = importance(relative_times(group.trials));
  facts.trials = static_cast<int>(group.trials.size());
  facts.failures = static_cast<int>(
      std::ranges::count_if(group.trials, [](const Trial* each) { return each->verdict != Verdict::measured; }));
  return facts;
}

std::vector<WinnerRow> rows_of(const Group& group) {
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
  return static_cast<double>(input_bytes(problem, problem.size)) +
         static_cast<double>(output_bytes(problem, problem.size));
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
  return facts;
}

}  // namespace upsweep::report
