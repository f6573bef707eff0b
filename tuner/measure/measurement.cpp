#include "tuner/measure/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace upsweep::tuner {
namespace {

// Whether a first call took so long that no sample is worth taking.
bool hopeless(double us, const TimingOptions& options) {
  // It is timed with what it loads and the latency of its launch.
  constexpr double latency_us = 1000;
  return us > 4 * options.limit_us + latency_us;
}

// That are given to the device together.
std::vector<Series*> rounds_of(const StartedSamples& started) {
  std::vector<Series*> rounds;
  for (int i = 0; i < started.rounds_at_once; ++i) {
    rounds.insert(rounds.end(), started.series.begin(), started.series.end());
  }
  return rounds;
}

}  // namespace

Measurement::Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
                         HostClock clock)
    : on_host_(device.target() == Target::host),
      clock_(std::move(clock)),
      slots_(device, stream, arrays),
      sampler_(device, stream, slots_, clock_) {}

Measurement::Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
                         RotationMemory& memory, HostClock clock)
    : on_host_(device.target() == Target::host),
      clock_(std::move(clock)),
      slots_(device, stream, arrays, memory),
      sampler_(device, stream, slots_, clock_) {}

void Measurement::record_ahead(Series& series, const Series& like, const TimingOptions& options) {
  if (series.timed || series.recording || !like.recording) return;
  series.calls = like.calls;
  (void)sampler_.record(series, options);
}

bool Measurement::record_if_possible(Series& series, const TimingOptions& options) {
  constexpr double hardly_us = 100;  // what may be spent on finding out how many calls to record
  constexpr int few_calls = 8;
  const double samples = series.call_us * series.calls / options.sample_us;
  if (series.recording && samples <= few_calls) return true;
  series.recording.reset();
  const int calls = series.call_us * few_calls < hardly_us ? few_calls : 1;
  const double us = sampler_.launched(series.call, calls, options);
  const int most = std::max(options.maximum_calls, 1);
  series.calls = us > 0 ? static_cast<int>(std::clamp<double>(std::ceil(options.sample_us / us), 1, most)) : most;
  return sampler_.record(series, options);
}

bool Measurement::warm_up_replayed(Series& series, const TimingOptions& options) {
  series.call_us = sampler_.launched(series.call, 1, options);
  if (hopeless(series.call_us, options)) return false;
  if (!record_if_possible(series, options)) {
    TimingOptions other = options;
    other.timing = Timing::back_to_back;
    return warm_up(series, other);
  }
  Series* one = &series;
  series.call_us = sampler_.take(std::span(&one, 1), options).front();
  series.timed = true;
  return true;
}

bool Measurement::warm_up(Series& series, const TimingOptions& options) {
  if (series.timed) return true;
  if (options.timing == Timing::replayed && !on_host_) return warm_up_replayed(series, options);
  const int most = on_host_ ? 1 : std::max(options.maximum_calls, 1);
  series.calls = 1;
  for (int round = 0;; ++round) {
    Series* one = &series;
    series.call_us = 0;  // what the device takes is not known yet, as long as the latency of a launch is part of it
    series.call_us = sampler_.take(std::span(&one, 1), options).front();
    if (hopeless(series.call_us, options)) return false;
    series.timed = is_long(series);
    if (series.timed) return true;
    if (round == 0) continue;
    const double fitting = series.call_us > 0 ? std::ceil(options.sample_us / series.call_us) : most;
    const bool near = series.call_us * series.calls >= options.sample_us / 4;
    series.calls = static_cast<int>(std::clamp<double>(fitting, series.calls, most));
    series.timed = near || series.calls == most;
    if (series.timed) return true;
  }
}

bool Measurement::is_long(const Series& series) const {
  constexpr double long_us = 100'000;  // what a call finds in caches is lost in that
  return on_host_ && series.call_us > long_us;
}

bool Measurement::must_drop(int samples, int& retries) {
  clocks_ = sampler_.clocks();
  if (!clocks_.throttled() || retries-- <= 0) return false;
  dropped_ += samples;
  return true;
}

std::vector<double> Measurement::time(const TimedCall& call, const TimingOptions& options) {
  Series series(call);
  return finish(start(series, options)).front();
}

std::vector<std::vector<double>> Measurement::time_in_turn(std::span<const TimedCall> calls,
                                                           const TimingOptions& options) {
  std::vector<Series> all(calls.begin(), calls.end());
  std::vector<Series*> series;
  for (Series& each : all) series.push_back(&each);
  return finish(start_in_turn(series, options));
}

StartedSamples Measurement::start(Series& series, const TimingOptions& options) {
  StartedSamples started{.series = {&series}, .options = options, .samples = {{}}};
  started.options.budget_us = std::numeric_limits<double>::infinity();
  started.options.samples = 0;
  const bool first = !series.timed;
  const bool is_hopeless = !warm_up(series, options);
  const int wanted = series.call_us > options.limit_us ? 1 : std::max(options.samples, 1);
  if (is_hopeless || (first && wanted == 1 && is_long(series))) {
    started.samples.front() = {series.call_us};
    return started;
  }
  started.options.samples = started.rounds_at_once = wanted;
  const std::vector<Series*> rounds = rounds_of(started);
  if (sampler_.can_start(rounds, options)) started.under_way = sampler_.start(rounds, options);
  return started;
}

StartedSamples Measurement::start_in_turn(std::span<Series* const> series, const TimingOptions& asked) {
  StartedSamples started{.series = {series.begin(), series.end()},
                         .options = asked,
                         .begin_us = clock_(),
                         .samples = std::vector<std::vector<double>>(series.size())};
  TimingOptions& options = started.options;
  options.samples = std::max(options.samples, 1);
  options.limit_us = std::numeric_limits<double>::infinity();
  // Warming a call up takes about as long as one of its samples.
  const auto shares = static_cast<double>(series.size()) * (options.samples + 1);
  options.sample_us = std::min(options.sample_us, options.budget_us / std::max(shares, 1.0));
  // The host need not look at the clock between rounds that cost it nothing.
  if (options.timing == Timing::replayed && std::isinf(options.budget_us)) started.rounds_at_once = options.samples;
  for (Series* each : series) (void)warm_up(*each, options);
  const std::vector<Series*> rounds = rounds_of(started);
  if (sampler_.can_start(rounds, options)) started.under_way = sampler_.start(rounds, options);
  return started;
}

std::vector<std::vector<double>> Measurement::finish(StartedSamples started) {
  const TimingOptions& options = started.options;
  const int at_once = started.rounds_at_once;
  const std::vector<Series*> rounds = rounds_of(started);
  double round_us = 0;
  int retries = std::max(options.samples / at_once, 1);
  for (int round = 0; round < options.samples;) {
    const double now = clock_();
    if (round >= options.fewest_samples && now - started.begin_us + round_us > options.budget_us) break;
    const auto under_way = std::exchange(started.under_way, std::nullopt);
    const std::vector<double> taken = under_way ? sampler_.finish(*under_way) : sampler_.take(rounds, options);
    round_us = clock_() - now;
    if (must_drop(at_once, retries)) continue;
    for (std::size_t i = 0; i < taken.size(); ++i) started.samples[i % started.samples.size()].push_back(taken[i]);
    round += at_once;
  }
  return std::move(started.samples);
}

}  // namespace upsweep::tuner
