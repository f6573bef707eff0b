#include "tuner/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/median.hpp"
#include "runtime/logging.hpp"
#include "tuner/session/out_of_time.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Stage;
using tuning_db::Trial;
using tuning_db::Verdict;

constexpr int probe_samples = 3;
constexpr int race_samples = 7;
// A candidate whose first sample is this many times slower than the best so far is not worth a second one.
constexpr double hopeless_factor = 1.5;
// Those whose probe is slower than the best by no more than this share are measured again, or by three times the noise
// where that is more.
constexpr double near_share = 0.02;
constexpr int noise_rounds = 8;
constexpr std::size_t made_ready = 2;   // configs beside the one that is measured: one loaded, one recorded
constexpr int keep_every = 16;          // configs, until those that are not worth keeping are unloaded
constexpr double better_share = 0.005;  // less of an improvement does not reset the patience

}  // namespace

Session::Session(Setting setting, const SessionParts& parts, SessionOptions options)
    : setting_(std::move(setting)),
      parts_(parts),
      options_(std::move(options)),
      rows_(parts.database),
      pruner_(setting_.problem, setting_.limits) {}

std::optional<TunedSize> Session::run(const Progress& progress) {
  take_up_earlier();
  try {
    search(progress);
  } catch (const base::Cancelled&) {
    cut_ = true;  // what was measured before counts
  } catch (...) {
    rows_.write();  // what was measured stays
    throw;
  }
  parts_.compilations.forget_pending();
  record_refined();
  rows_.write();  // whatever becomes of the final
  if (ranking_.empty()) {
    if (options_.stopped()) return std::nullopt;
    if (cut_) {
      throw OutOfTime(
          "there was no time to compile, check and run even one config: give a longer budget or smaller sizes");
    }
    throw DeviceError(fmt::format(
        "none of the {} configs that were tried for {} gave a correct result on {}; the reason for the last config: {}",
        trials_ + earlier_, to_string(setting_.problem), setting_.device.name, last_failure_));
  }
  return options_.stopped() ? end_without_final() : end_with_final();
}

void Session::search(const Progress& progress) {
  submit();
  for (const Config& config : options_.ahead) parts_.compilations.compile_ahead(config);
  while (true) {
    submit();
    if (parts_.compilations.pending() == 0 && held_.empty()) break;
    while (held_.empty() && !parts_.compilations.ready() && !ended() && refine()) continue;
    if (options_.overlap && !default_awaited_ && !ended()) {
      const std::vector<Config> next = upcoming();
      if (!next.empty() && next.front() != soonest_) (void)refine(next);
    }
    if (held_.empty() && !parts_.compilations.ready()) rows_.write();  // there is nothing to write them beside
    handle(next_compiled());
    if (progress) progress(*this);
    if (ended()) break;
  }
}

void Session::take_up_earlier() {
  const tuning_db::Filter place{.device = setting_.device,
                                .problem = setting_.problem,
                                .size_class = size_class(setting_.problem.size),
                                .environment = setting_.environment};
  for (const tuning_db::Winner& winner : parts_.database.winners(place)) {
    const bool same_side = size_side(winner.trial.problem.size) == size_side(setting_.problem.size);
    if (same_side) incumbent_ = winner.trial.config;
  }
  // Of a config's rows, the one that was measured best counts, and of several such the last; but finals are timed in
  // another way.
  std::map<Config, Trial> known;
  for (Trial& trial : parts_.database.trials(place)) {
    if (trial.problem.size != setting_.problem.size) continue;
    const auto weight = [](const Trial& each) {
      return each.stage == Stage::final ? -1 : static_cast<int>(each.stage);
    };
    const auto at = known.find(trial.config);
    if (at == known.end() || weight(at->second) <= weight(trial)) known[trial.config] = std::move(trial);
  }
  const Space space(setting_.problem, setting_.limits);
  for (const auto& [config, trial] : known) {
    if (!space.contains(config)) continue;
    if (trial.verdict == Verdict::out_of_memory) continue;  // which others may have held then
    const bool right = trial.verdict == Verdict::measured;
    parts_.search.report(config, right ? std::optional(trial.median_us()) : std::nullopt);
    if (right)
      rank({.median_us = trial.median_us(),
            .config = config,
            .row = rows_.note(trial.id),
            .binary = trial.binary,
            .clock_mhz = trial.clock_mhz,
            .earlier = true});
    ++earlier_;
  }
}

bool Session::ended() const {
  if (default_awaited_ && !options_.stopped()) return false;
  const bool enough = options_.maximum_trials > 0 && trials_ + earlier_ >= options_.maximum_trials;
  return options_.stopped() || options_.out_of_time() || enough ||
         (options_.patience > 0 && since_better_ >= options_.patience);
}

// As many ahead as the compilers need; the first one is waited for even if there is no time at all.
void Session::submit() {
  if (trials_ + earlier_ > 0 && ended()) return;
  const int left = options_.maximum_trials > 0 ? options_.maximum_trials - trials_ - earlier_ : 0;
  CompiledOnce& compilations = parts_.compilations;
  while (compilations.pending() + held_.size() < compilations.enough()) {
    if (left > 0 && compilations.pending() + held_.size() >= static_cast<std::size_t>(left)) return;
    const std::optional<Config> config = parts_.search.next();
    if (!config) return;
    if (*config == setting_.default_config) default_awaited_ = true;
    compilations.submit(*config);
  }
}

// Those that are compiled before the default are no use before it is measured.
CompileResult Session::next_compiled() {
  while (default_awaited_) {
    CompileResult compiled = parts_.compilations.wait();
    if (compiled.config == setting_.default_config) {
      default_awaited_ = false;
      return compiled;
    }
    held_.push_back(std::move(compiled));
  }
  if (held_.empty()) return parts_.compilations.wait();
  CompileResult compiled = std::move(held_.front());
  held_.pop_front();
  return compiled;
}

void Session::handle(const CompileResult& compiled) {
  ++trials_;
  ++since_better_;
  if (compiled.verdict != Verdict::measured) {
    if (compiled.config == setting_.default_config) throw CompilerError(compiled.failure, {});
    if (compiled.may_pass) return pass_over(compiled.config, compiled.failure);
    return fail(compiled.config, compiled.verdict, compiled.failure, compiled.binary);
  }
  if (compiled.config == setting_.default_config) return measure(compiled);
  if (const std::string reason = pruner_.reason(compiled); !reason.empty()) {
    return fail(compiled.config, Verdict::pruned, reason, compiled.binary);
  }
  if (const std::optional<Config> twin = pruner_.twin_of(compiled)) {
    fail(compiled.config, Verdict::pruned, "the same machine code as " + to_json(*twin), compiled.binary);
    const Measured* measured = known(*twin);
    return parts_.search.report(compiled.config,
                                measured != nullptr ? std::optional(measured->median_us) : std::nullopt);
  }
  measure(compiled);
  if (!options_.overlap || ++loaded_ % keep_every == 0) parts_.runner.keep_only(worth_keeping());
}

void Session::fail(const Config& config, Verdict verdict, const std::string& reason, const std::string& binary) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.failure = reason;
  outcome.binary = binary;
  ++(verdict == Verdict::pruned ? pruned_ : failures_);
  last_failure_ = reason;
  (void)record(config, Stage::probe, outcome);
  parts_.search.report(config, std::nullopt);
}

// No row: the next tune is to try it again.
void Session::pass_over(const Config& config, const std::string& reason) {
  ++failures_;
  last_failure_ = reason;
  if (!warned_) {
    warn(fmt::format("some configs could not be tried; the next tune tries them again: {}",
                     reason.substr(0, reason.find('\n'))));
  }
  warned_ = true;
  parts_.search.report(config, std::nullopt);
}

double Session::near_factor() const {
  return 1 + std::max(near_share, 3 * noise_);
}

void Session::measure(const CompileResult& compiled) {
  const Config& config = compiled.config;
  RunRequest request;
  request.size = setting_.problem.size;
  request.limit_us = ranking_.empty() ? std::numeric_limits<double>::infinity() : hopeless_factor * best_us();
  const int most = affordable_samples(ranking_.empty() ? options_.expected_us : best_us());
  request.samples = std::min(probe_samples, most);
  request.more_samples = std::min(race_samples, most - request.samples);
  if (!ranking_.empty()) request.near_us = best_us() * near_factor();
  const Outcome outcome = run(config, request);
  const std::string& binary = outcome.binary.empty() ? compiled.binary : outcome.binary;
  if (outcome.may_pass) return pass_over(config, outcome.failure);
  if (outcome.verdict != Verdict::measured) return fail(config, outcome.verdict, outcome.failure, binary);

  Measured measured{.config = config, .binary = binary, .clock_mhz = outcome.clock_mhz};
  measured.row = record(config, Stage::probe, outcome_of(measured, outcome.samples_us));
  measured.median_us = base::median(outcome.samples_us);
  if (!outcome.more_us.empty()) {
    measured.row = record(config, Stage::race, outcome_of(measured, outcome.more_us));
    measured.median_us = base::median(outcome.more_us);
    measured.samples_us = outcome.more_us;
  }
  pruner_.note(compiled);
  if (ranking_.empty() || measured.median_us < best_us() * (1 - better_share)) since_better_ = 0;
  parts_.search.report(config, measured.median_us);
  rank(std::move(measured));
  if (config == setting_.default_config) measure_noise();
}

Outcome Session::run(const Config& config, RunRequest request) {
  if (!options_.overlap) return parts_.runner.run(config, request);
  // What is too short for getting another ready leaves it to the next round of the best.
  constexpr double long_enough_us = 2500;
  if (request.samples * sample_us(best_us(), request) > long_enough_us) request.next = upcoming();
  return beside_device(request, [&] { return parts_.runner.run(config, request); });
}

// What will be run next, as far as it is known by now.
std::vector<Config> Session::upcoming() {
  std::vector<Config> configs;
  for (std::size_t i = 0; configs.size() < made_ready; ++i) {
    if (i == held_.size()) {
      if (!parts_.compilations.ready()) break;
      held_.push_back(parts_.compilations.wait());
    }
    const CompileResult& compiled = held_[i];
    const bool will_run = compiled.verdict == Verdict::measured && pruner_.reason(compiled).empty();
    if (will_run && !pruner_.twin_of(compiled)) configs.push_back(compiled.config);
  }
  return configs;
}

// Of calls that take so long, in the time that a trial may take; one at least.
int Session::affordable_samples(double call_us) const {
  constexpr double many = 1000;
  const double samples = call_us > 0 ? options_.trial_seconds * 1e6 / call_us : many;
  return static_cast<int>(std::clamp(samples, 1.0, many));
}

// The default against itself: what differs is noise.
void Session::measure_noise() {
  constexpr int fewest_rounds = 3;
  RunRequest request;
  request.size = setting_.problem.size;
  request.samples = std::min(noise_rounds, affordable_samples(2 * default_us_));
  if (request.samples < fewest_rounds) return;
  const std::vector<Config> twice{setting_.default_config, setting_.default_config};
  const std::vector<std::vector<double>> samples = parts_.runner.run_in_turn(twice, request);
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(samples[0].size(), samples[1].size()); ++i) {
    differences.push_back(std::abs(samples[0][i] / samples[1][i] - 1));
  }
  if (!differences.empty()) noise_ = base::median(std::move(differences));
}

void Session::rank(Measured measured) {
  if (measured.config == setting_.default_config) default_us_ = measured.median_us;
  const auto slower = std::upper_bound(ranking_.begin(), ranking_.end(), measured.median_us,
                                       [](double us, const Measured& other) { return us < other.median_us; });
  ranking_.insert(slower, std::move(measured));
}

const Session::Measured* Session::known(const Config& config) const {
  const auto at = std::find_if(ranking_.begin(), ranking_.end(),
                               [&](const Measured& measured) { return measured.config == config; });
  return at == ranking_.end() ? nullptr : &*at;
}

Outcome Session::outcome_of(const Measured& measured, std::vector<double> samples_us) {
  Outcome outcome;
  outcome.samples_us = std::move(samples_us);
  outcome.binary = measured.binary;
  outcome.clock_mhz = measured.clock_mhz;
  return outcome;
}

std::vector<Config> Session::best(std::size_t most) const {
  std::vector<Config> configs;
  for (std::size_t i = 0; i < std::min(ranking_.size(), most); ++i) configs.push_back(ranking_[i].config);
  return configs;
}

std::vector<Config> Session::with_places(std::vector<Config> configs) const {
  for (const Measured& measured : ranking_) {
    const bool has_a_place = measured.config == setting_.default_config || measured.config == incumbent_;
    if (has_a_place && std::find(configs.begin(), configs.end(), measured.config) == configs.end()) {
      configs.push_back(measured.config);
    }
  }
  return configs;
}

std::vector<Config> Session::shortlist() const {
  std::vector<Config> configs = with_places(best(finalist_count));
  std::set<std::string_view> schedules;
  for (const Measured& measured : ranking_) {
    const bool first = schedules.insert(measured.config.schedule).second;
    if (first && std::find(configs.begin(), configs.end(), measured.config) == configs.end()) {
      configs.push_back(measured.config);
    }
  }
  return configs;
}

std::vector<Config> Session::worth_keeping() const {
  std::vector<Config> configs = with_places(best(options_.overlap ? refined_count : finalist_count));
  if (!options_.overlap) return configs;
  for (const CompileResult& compiled : held_) configs.push_back(compiled.config);
  return configs;
}

std::size_t Session::record(const Config& config, Stage stage, const Outcome& outcome) {
  Trial trial;
  trial.device = setting_.device;
  trial.environment = setting_.environment;
  trial.problem = setting_.problem;
  trial.session = setting_.name;
  trial.config = config;
  trial.stage = stage;
  trial.samples_us = outcome.samples_us;
  trial.verdict = outcome.verdict;
  trial.failure = outcome.failure;
  trial.binary = outcome.binary;
  trial.clock_mhz = outcome.clock_mhz;
  const std::size_t row = rows_.add(std::move(trial));
  if (!options_.overlap) rows_.write();
  return row;
}

}  // namespace upsweep::tuner
