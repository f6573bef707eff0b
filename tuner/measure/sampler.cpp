#include "tuner/measure/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/median.hpp"

namespace upsweep::tuner {
namespace {

// More would be noise, and is to be kept and shipped.
double five_digits(double us) {
  if (!(us > 0)) return us;
  const double power = std::pow(10.0, std::abs(4 - std::floor(std::log10(us))));
  return us < 1e5 ? std::round(us * power) / power : std::round(us / power) * power;
}

}  // namespace

std::vector<double> Sampler::take(std::span<Series* const> series, const TimingOptions& options) {
  clocks_.reset();
  if (can_start(series, options)) return finish(start(series, options));
  if (options.timing == Timing::back_to_back || options.timing == Timing::replayed) {
    return back_to_back(series, options);
  }
  std::vector<double> samples;
  for (const Series* each : series) {
    samples.push_back(options.timing == Timing::synchronized ? synchronized(*each, options)
                      : options.timing == Timing::enqueued   ? enqueued(*each, options)
                                                             : launched(each->call, each->calls, options));
  }
  return samples;
}

double Sampler::synchronized(const Series& series, const TimingOptions& options) {
  std::vector<double> times;
  for (int i = 0; i < series.calls; ++i) {
    device_.synchronize(stream_);
    const double begin = clock_();
    step(series.call, options);
    device_.synchronize(stream_);
    times.push_back(clock_() - begin);
  }
  return base::median(std::move(times));
}

double Sampler::enqueued(const Series& series, const TimingOptions& options) {
  device_.synchronize(stream_);
  const double begin = clock_();
  for (int i = 0; i < series.calls; ++i) step(series.call, options);
  const double end = clock_();
  device_.synchronize(stream_);
  return (end - begin) / series.calls;
}

double Sampler::launched(const TimedCall& call, int calls, const TimingOptions& options) {
  const double us = device_.elapsed_us(stream_, [&] {
    for (int i = 0; i < calls; ++i) step(call, options);
  });
  busy_us_ += us;
  return five_digits(us / calls);
}

std::vector<double> Sampler::back_to_back(std::span<Series* const> series, const TimingOptions& options) {
  std::vector<runtime::Batch> batches;
  for (const Series* each : series) {
    batches.push_back(
        {[this, each, &options] { step(each->call, options); }, each->calls, each->call_us, options.launches});
  }
  std::vector<double> samples = device_.back_to_back_us(stream_, batches);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    busy_us_ += samples[i];
    samples[i] = five_digits(samples[i] / series[i]->calls);
  }
  return samples;
}

bool Sampler::can_start(std::span<Series* const> series, const TimingOptions& options) {
  return options.timing == Timing::replayed &&
         std::all_of(series.begin(), series.end(), [](const Series* each) { return each->recording != nullptr; });
}

Sampler::Started Sampler::start(std::span<Series* const> series, const TimingOptions& options) {
  Started started;
  std::vector<std::function<void()>> works;
  for (const Series* each : series) {
    if (options.caches == Caches::cold && slots_.fit_the_cache(each->slots)) {
      works.emplace_back([this] { slots_.evict(); });
      started.series.push_back(nullptr);
    }
    works.emplace_back([this, each] { each->recording->replay(stream_); });
    started.series.push_back(each);
  }
  started.timing = device_.start_timing(stream_, works);
  clocks_ = device_.clocks();
  return started;
}

std::vector<double> Sampler::finish(const Started& started) {
  const std::vector<double> times = started.timing->finish();
  std::vector<double> samples;
  for (std::size_t i = 0; i < times.size(); ++i) {
    busy_us_ += times[i];
    const Series* const series = started.series[i];
    if (series != nullptr) samples.push_back(five_digits(times[i] / series->calls));
  }
  return samples;
}

bool Sampler::record(Series& series, const TimingOptions& options) {
  const int calls = std::min(series.calls, std::max(options.maximum_recorded, 1));
  series.recording = device_.record(stream_, [&] {
    for (int i = 0; i < calls; ++i) step(series.call, options);
  });
  if (!series.recording) return false;
  series.calls = calls;
  series.slots = options.caches == Caches::cold ? std::min(calls, slots_.count()) : 1;
  return true;
}

runtime::ClockState Sampler::clocks() {
  return clocks_ ? *std::exchange(clocks_, std::nullopt) : device_.clocks();
}

}  // namespace upsweep::tuner
