#include "tuner/session.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "tuner/measurement.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::size_t finalist_count = 3;  // besides the default
constexpr int final_samples = 9;
// A candidate that is this many times slower than the best so far is not worth a second sample.
constexpr double hopeless_factor = 3;

}  // namespace

Session::Session(Setting setting, Config default_config, Search& search, Runner& runner, tuning_db::Database& database,
                 SessionLimits limits)
    : setting_(std::move(setting)),
      default_config_(std::move(default_config)),
      search_(search),
      runner_(runner),
      database_(database),
      limits_(std::move(limits)) {}

std::optional<TunedSize> Session::run(const Progress& progress) {
  do {
    const std::optional<Config> config = search_.next();
    if (!config) break;
    try_config(*config);
    if (progress) progress(*this);
  } while (!ended());

  if (ranking_.empty()) {
    if (limits_.stopped()) return std::nullopt;
    throw DeviceError(fmt::format("none of {} configs of {} gave a right result on {}; the last: {}", trials_,
                                  to_string(setting_.problem), setting_.device.name, last_failure_));
  }
  const Measured winner = limits_.stopped() ? ranking_.front() : hold_final().front();
  database_.set_winner(winner.trial);
  runner_.keep_only(std::span(&winner.config, 1));
  return TunedSize{.size = setting_.problem.size,
                   .winner = winner.config,
                   .winner_us = winner.median_us,
                   .default_us = default_us_,
                   .trials = trials_,
                   .failures = failures_};
}

void Session::try_config(const Config& config) {
  const double best = ranking_.empty() ? std::numeric_limits<double>::infinity() : ranking_.front().median_us;
  Outcome outcome = runner_.run(config, {.size = setting_.problem.size, .limit_us = hopeless_factor * best});
  ++trials_;
  const double time = median(outcome.samples_us);
  const bool right = outcome.verdict == Verdict::measured;
  if (!right) ++failures_, last_failure_ = outcome.failure;
  const std::int64_t id = record(config, std::move(outcome));
  search_.report(config, right ? std::optional(time) : std::nullopt);
  if (right) {
    if (config == default_config_) default_us_ = time;
    const auto slower = std::upper_bound(ranking_.begin(), ranking_.end(), time,
                                         [](double us, const Measured& other) { return us < other.median_us; });
    ranking_.insert(slower, {time, config, id});
  }
  runner_.keep_only(finalists());
}

bool Session::ended() const {
  return limits_.stopped() || limits_.out_of_time() ||
         (limits_.maximum_trials > 0 && trials_ >= limits_.maximum_trials);
}

std::vector<Config> Session::finalists() const {
  std::vector<Config> configs;
  for (const Measured& measured : ranking_) {
    if (configs.size() < finalist_count || measured.config == default_config_) configs.push_back(measured.config);
  }
  return configs;
}

std::vector<Session::Measured> Session::hold_final() {
  const std::vector<Config> configs = finalists();
  std::vector<std::vector<double>> samples =
      runner_.run_in_turn(configs, {.size = setting_.problem.size, .samples = final_samples});
  std::vector<Measured> order;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const double time = median(samples[i]);
    if (samples[i].empty()) {
      record(configs[i], {.verdict = Verdict::failed, .failure = "ran well before and failed in the final"});
      continue;
    }
    if (configs[i] == default_config_) default_us_ = time;
    order.push_back({time, configs[i], record(configs[i], {.samples_us = std::move(samples[i])})});
  }
  if (order.empty()) throw DeviceError("none of the best configs ran again in the final: is the device in order?");
  std::stable_sort(order.begin(), order.end(),
                   [](const Measured& a, const Measured& b) { return a.median_us < b.median_us; });
  return order;
}

std::int64_t Session::record(const Config& config, Outcome outcome) {
  tuning_db::Trial trial;
  trial.device = setting_.device;
  trial.environment = setting_.environment;
  trial.problem = setting_.problem;
  trial.config = config;
  trial.samples_us = std::move(outcome.samples_us);
  trial.failure = std::move(outcome.failure);
  trial.verdict = outcome.verdict;
  trial.binary = std::move(outcome.binary);
  trial.clock_mhz = outcome.clock_mhz;
  return database_.record(trial);
}

}  // namespace upsweep::tuner
