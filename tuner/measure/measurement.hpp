// Timing of calls. With cold caches they rotate through more memory than the L2 cache holds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tuner/measure/sampler.hpp"

namespace upsweep::tuner {

// A timing that was started. What it is of must outlive it.
struct StartedSamples {
  std::vector<Series*> series;  // timed in turn
  TimingOptions options;
  int rounds_at_once = 1;
  double begin_us = 0;                             // on the host's clock
  std::vector<std::vector<double>> samples = {};   // so far, of each of the series
  std::optional<Sampler::Started> under_way = {};  // the device is at the first rounds
};

class Measurement {
 public:
  // With slots of its own, or in memory that it shares, as Slots says.
  Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
              HostClock clock = steady_microseconds);
  Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
              RotationMemory& memory, HostClock clock = steady_microseconds);

  [[nodiscard]] const Slots& slots() const noexcept { return slots_; }
  // What all samples on the device's clock have taken so far, and emptying the cache for them.
  [[nodiscard]] double busy_us() const noexcept { return sampler_.busy_us(); }

  // Microseconds a call, a value a sample. Warms up what was not timed before. Samples taken while something held the
  // clocks down are dropped and taken again, but once for each asked for: a device that never runs freely is measured
  // as it is.
  [[nodiscard]] std::vector<double> time(const TimedCall& call, const TimingOptions& options = {});
  // Samples of several calls in turn, whatever the limit, so that what changes in time (clocks, other users) meets all
  // of them alike. Rounds in which the clocks were held down are dropped as `time` drops samples.
  [[nodiscard]] std::vector<std::vector<double>> time_in_turn(std::span<const TimedCall> calls,
                                                              const TimingOptions& options = {});

  // The same in two steps: `start` warms up and gives the device the first samples if they are of recorded calls, and
  // `finish` waits for them, or takes them, and gives back the samples of each of the series.
  [[nodiscard]] StartedSamples start(Series& series, const TimingOptions& options);
  [[nodiscard]] StartedSamples start_in_turn(std::span<Series* const> series, const TimingOptions& options);
  [[nodiscard]] std::vector<std::vector<double>> finish(StartedSamples started);

  // Records what will be timed with the same options, with as many calls as another that probably takes about as long:
  // for when the device is busy. Nothing if that one is not recorded.
  void record_ahead(Series& series, const Series& like, const TimingOptions& options);

  // Of the device, when the latest sample ended, or while recorded ones were under way.
  [[nodiscard]] const runtime::ClockState& clocks() const noexcept { return clocks_; }
  // Samples and rounds that were dropped so far.
  [[nodiscard]] int dropped() const noexcept { return dropped_; }

 private:
  // Finds out what later samples begin with. False if it takes far longer than the limit.
  [[nodiscard]] bool warm_up(Series& series, const TimingOptions& options);
  [[nodiscard]] bool warm_up_replayed(Series& series, const TimingOptions& options);
  // On the host device: warming up would take as long again, and change nothing.
  [[nodiscard]] bool is_long(const Series& series) const;
  [[nodiscard]] bool record_if_possible(Series& series, const TimingOptions& options);
  // Whether the samples just taken are to be taken again; `retries` counts down.
  [[nodiscard]] bool must_drop(int samples, int& retries);

  bool on_host_;
  HostClock clock_;
  Slots slots_;
  Sampler sampler_;
  runtime::ClockState clocks_;
  int dropped_ = 0;
};

}  // namespace upsweep::tuner
