#include "tuner/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/logging.hpp"
#include "base/median.hpp"
#include "tuner/measure/timing.hpp"
#include "tuner/session/fitting_sizes.hpp"

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
constexpr int fewest_refined_rounds = 3;
constexpr int most_refined_rounds = 48;

double near_factor(double noise) {
  return 1 + std::max(near_share, 3 * noise);
}

// Of calls that take so long, in the time that a trial may take; one at least.
int affordable_samples(double trial_seconds, double call_us) {
  constexpr double many = 1000;
  const double samples = call_us > 0 ? trial_seconds * 1e6 / call_us : many;
  return static_cast<int>(std::clamp(samples, 1.0, many));
}

// What the device takes for a sample, as far as can be told: quick calls are recorded a few hundred at a time.
double sample_us(double call_us, const RunRequest& request) {
  return std::max(std::min(TimingOptions{}.maximum_recorded * call_us, request.sample_us), call_us);
}

// Of a config's rows, the one that was measured best counts, and of several such the last; but finals are timed in
// another way.
std::map<Config, Trial> best_rows(std::vector<Trial> trials, std::uint64_t size) {
  const auto weight = [](const Trial& each) { return each.stage == Stage::final ? -1 : static_cast<int>(each.stage); };
  std::map<Config, Trial> best;
  for (Trial& trial : trials) {
    if (trial.problem.size != size) continue;
    const auto at = best.find(trial.config);
    if (at == best.end() || weight(at->second) <= weight(trial)) best[trial.config] = std::move(trial);
  }
  return best;
}

}  // namespace

Session::Session(Setting setting, const Config& default_config, const SessionParts& parts, SessionOptions options)
    : setting_(std::move(setting)),
      default_(default_config),
      parts_(parts),
      options_(std::move(options)),
      rows_(parts.database, setting_),
      pruner_(setting_.problem, setting_.limits),
      ranking_(default_config),
      proposals_(parts.search, parts.compilations, default_config),
      so_far_{.size = setting_.problem.size} {}

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
  for (Measured& measured : ranking_.all()) {
    if (!measured.refined) continue;
    measured.row = record(measured.config, Stage::race, measured.outcome(measured.samples_us));
    measured.refined = false;
  }
  rows_.write();  // whatever becomes of the final
  if (!ranking_.empty()) return options_.stopped() ? end_without_final() : end_with_final();
  if (options_.stopped()) return std::nullopt;
  if (cut_) {
    throw OutOfTime(
        "there was no time to compile, check and run even one config: give a longer budget or smaller sizes");
  }
  throw DeviceError(fmt::format(
      "none of the {} configs that were tried for {} gave a correct result on {}; the reason for the last config: {}",
      so_far_.trials + so_far_.earlier, to_string(setting_.problem), setting_.device.name, last_failure_));
}

void Session::search(const Progress& progress) {
  propose();
  for (const Config& config : options_.ahead) parts_.compilations.compile_ahead(config);
  while (true) {
    propose();
    if (proposals_.empty()) break;
    while (!proposals_.ready() && !ended() && refine()) continue;
    if (options_.overlap && !proposals_.awaits_default() && !ended()) {
      const std::vector<Config> next = proposals_.upcoming(pruner_, made_ready);
      if (!next.empty() && next.front() != soonest_) (void)refine(next);
    }
    if (!proposals_.ready()) rows_.write();  // the device has nothing to do before the compilers are done
    handle(proposals_.next());
    so_far_.winner_us = ranking_.best_us();
    if (progress) progress(so_far_);
    if (ended()) break;
  }
}

void Session::take_up_earlier() {
  ranking_.set_incumbent(find_incumbent(parts_.database, setting_));
  const Space space(setting_.problem, setting_.limits);
  for (const auto& [config, trial] : best_rows(parts_.database.trials(filter_of(setting_)), setting_.problem.size)) {
    if (!space.contains(config)) continue;
    if (trial.verdict == Verdict::out_of_memory) continue;  // which others may have held then
    const bool right = trial.verdict == Verdict::measured;
    parts_.search.report(config, right ? std::optional(trial.median_us()) : std::nullopt);
    if (right)
      ranking_.add({.median_us = trial.median_us(),
                    .config = config,
                    .row = rows_.note(trial.id),
                    .binary = trial.binary,
                    .clock_mhz = trial.clock_mhz,
                    .earlier = true});
    ++so_far_.earlier;
  }
  note_default();
}

void Session::note_default() {
  if (const Measured* measured = ranking_.find(default_)) so_far_.default_us = measured->median_us;
}

bool Session::ended() const {
  if (proposals_.awaits_default() && !options_.stopped()) return false;
  const bool enough = options_.maximum_trials > 0 && so_far_.trials + so_far_.earlier >= options_.maximum_trials;
  return options_.stopped() || options_.out_of_time() || enough ||
         (options_.patience > 0 && since_better_ >= options_.patience);
}

// The first one is waited for even if there is no time at all.
void Session::propose() {
  const int tried = so_far_.trials + so_far_.earlier;
  if (tried > 0 && ended()) return;
  const bool limited = options_.maximum_trials > tried;
  proposals_.submit(limited ? static_cast<std::size_t>(options_.maximum_trials - tried)
                            : std::numeric_limits<std::size_t>::max());
}

void Session::handle(const CompileResult& compiled) {
  const Config& config = compiled.config;
  ++so_far_.trials;
  ++since_better_;
  if (compiled.verdict != Verdict::measured) {
    if (config == default_) throw CompilerError(compiled.failure, {});
    if (compiled.may_pass) return pass_over(config, compiled.failure);
    return fail(config, compiled.verdict, compiled.failure, compiled.binary);
  }
  if (config == default_) return measure(compiled);
  if (const std::string reason = pruner_.reason(compiled); !reason.empty()) {
    return fail(config, Verdict::pruned, reason, compiled.binary);
  }
  if (const std::optional<Config> twin = pruner_.twin_of(compiled)) {
    fail(config, Verdict::pruned, "the same machine code as " + to_json(*twin), compiled.binary);
    const Measured* measured = ranking_.find(*twin);
    return parts_.search.report(config, measured != nullptr ? std::optional(measured->median_us) : std::nullopt);
  }
  measure(compiled);
  if (options_.overlap && ++loaded_ % keep_every != 0) return;
  std::vector<Config> kept = ranking_.with_places(ranking_.best(options_.overlap ? refined_count : finalist_count));
  if (options_.overlap) {
    for (const CompileResult& next : proposals_.compiled()) kept.push_back(next.config);
  }
  parts_.runner.keep_only(kept);
}

void Session::fail(const Config& config, Verdict verdict, const std::string& reason, const std::string& binary) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.failure = reason;
  outcome.binary = binary;
  ++(verdict == Verdict::pruned ? so_far_.pruned : so_far_.failures);
  last_failure_ = reason;
  (void)record(config, Stage::probe, outcome);
  parts_.search.report(config, std::nullopt);
}

void Session::pass_over(const Config& config, const std::string& reason) {
  ++so_far_.failures;
  last_failure_ = reason;
  if (!warned_) {
    warn(fmt::format("some configs could not be tried; the next tune tries them again: {}",
                     reason.substr(0, reason.find('\n'))));
  }
  warned_ = true;
  parts_.search.report(config, std::nullopt);
}

void Session::measure(const CompileResult& compiled) {
  const Config& config = compiled.config;
  const double best_us = ranking_.best_us();
  RunRequest request{.size = setting_.problem.size};
  const int most = affordable_samples(options_.trial_seconds, ranking_.empty() ? options_.expected_us : best_us);
  request.samples = std::min(probe_samples, most);
  request.more_samples = std::min(race_samples, most - request.samples);
  if (!ranking_.empty()) {
    request.limit_us = hopeless_factor * best_us;
    request.near_us = best_us * near_factor(so_far_.noise);
  }
  const Outcome outcome = run(config, request);
  const std::string& binary = outcome.binary.empty() ? compiled.binary : outcome.binary;
  if (outcome.may_pass) return pass_over(config, outcome.failure);
  if (outcome.verdict != Verdict::measured) return fail(config, outcome.verdict, outcome.failure, binary);

  Measured measured{.config = config, .binary = binary, .clock_mhz = outcome.clock_mhz};
  measured.row = record(config, Stage::probe, measured.outcome(outcome.samples_us));
  measured.median_us = base::median(outcome.samples_us);
  if (!outcome.more_us.empty()) {
    measured.row = record(config, Stage::race, measured.outcome(outcome.more_us));
    measured.median_us = base::median(outcome.more_us);
    measured.samples_us = outcome.more_us;
  }
  pruner_.note(compiled);
  if (ranking_.empty() || measured.median_us < ranking_.best_us() * (1 - better_share)) since_better_ = 0;
  parts_.search.report(config, measured.median_us);
  ranking_.add(std::move(measured));
  note_default();
  if (config == default_) measure_noise();
}

Outcome Session::run(const Config& config, RunRequest request) {
  if (!options_.overlap) return parts_.runner.run(config, request);
  // What is too short for getting another ready leaves it to the next round of the best.
  constexpr double long_enough_us = 2500;
  if (request.samples * sample_us(ranking_.best_us(), request) > long_enough_us) {
    request.next = proposals_.upcoming(pruner_, made_ready);
  }
  parts_.runner.start(config, request);
  work_beside(request);
  return parts_.runner.finish();
}

bool Session::refine(const std::vector<Config>& next) {
  if (!options_.overlap) return false;
  const std::vector<Config> configs = ranking_.least_certain(near_factor(so_far_.noise));
  if (configs.empty()) return false;
  RunRequest request{.size = setting_.problem.size, .next = next};
  const double round_us = static_cast<double>(configs.size()) * sample_us(ranking_.best_us(), request);
  batch_sizing_.begin(steady_microseconds(), parts_.runner.busy_seconds() * 1e6);
  request.samples = static_cast<int>(
      std::clamp<double>(batch_sizing_.batch_us() / round_us, fewest_refined_rounds, most_refined_rounds));
  parts_.runner.start_in_turn(configs, request);
  work_beside(request);
  ranking_.refine(configs, parts_.runner.finish_in_turn());
  note_default();
  return true;
}

void Session::work_beside(const RunRequest& request) {
  if (!request.next.empty()) soonest_ = request.next.front();
  rows_.write();
  propose();
}

// The default against itself: what differs is noise.
void Session::measure_noise() {
  constexpr int fewest_rounds = 3;
  RunRequest request{.size = setting_.problem.size};
  request.samples = std::min(noise_rounds, affordable_samples(options_.trial_seconds, 2 * so_far_.default_us));
  if (request.samples < fewest_rounds) return;
  const Samples samples = parts_.runner.run_in_turn(std::vector<Config>{default_, default_}, request);
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(samples[0].size(), samples[1].size()); ++i) {
    differences.push_back(std::abs(samples[0][i] / samples[1][i] - 1));
  }
  if (!differences.empty()) so_far_.noise = base::median(std::move(differences));
}

std::size_t Session::record(const Config& config, Stage stage, const Outcome& outcome) {
  const std::size_t row = rows_.add(config, stage, outcome);
  if (!options_.overlap) rows_.write();
  return row;
}

}  // namespace upsweep::tuner
