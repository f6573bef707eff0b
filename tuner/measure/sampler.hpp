// Takes the samples of a timing. A sample is a number of calls and the time that they took.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tuner/measure/slots.hpp"

namespace upsweep::tuner {

// A call, and what its first timing has found, which later ones begin with. It must not outlive the memory that its
// measurement used, and must be timed by that and with equal options only.
struct Series {
  explicit Series(TimedCall of) : call(std::move(of)) {}

  TimedCall call;
  bool timed = false;  // the others are known
  int calls = 0;       // a sample
  double call_us = 0;  // estimate
  int slots = 0;       // that the recorded calls use
  std::unique_ptr<runtime::Recording> recording;
};

class Sampler {
 public:
  // The slots must outlive it.
  Sampler(runtime::Device& device, runtime::Stream stream, Slots& slots, const HostClock& clock)
      : device_(device), stream_(stream), slots_(slots), clock_(clock) {}

  // Microseconds a call, a value a sample: of each of the series, which may be there more than once.
  [[nodiscard]] std::vector<double> take(std::span<Series* const> series, const TimingOptions& options);

  // Samples that the device is at.
  struct Started {
    std::unique_ptr<runtime::StartedTiming> timing;
    std::vector<const Series*> series;  // of each piece of the timing; null: the cache was emptied
  };
  // Whether all are recorded, so that samples can be started.
  [[nodiscard]] static bool can_start(std::span<Series* const> series, const TimingOptions& options);
  [[nodiscard]] Started start(std::span<Series* const> series, const TimingOptions& options);
  // As `take`.
  [[nodiscard]] std::vector<double> finish(const Started& started);

  // Calls that begin as the host makes them.
  [[nodiscard]] double launched(const TimedCall& call, int calls, const TimingOptions& options);
  // Records the calls of a sample. False where the device records nothing.
  [[nodiscard]] bool record(Series& series, const TimingOptions& options);

  // Of the device, when the latest samples ended, or while recorded ones were under way.
  [[nodiscard]] runtime::ClockState clocks();
  // What all samples on the device's clock have taken so far, and emptying the cache for them.
  [[nodiscard]] double busy_us() const noexcept { return busy_us_; }

 private:
  void step(const TimedCall& call, const TimingOptions& options) { call(slots_.next(options.caches), stream_); }
  [[nodiscard]] double synchronized(const Series& series, const TimingOptions& options);
  [[nodiscard]] double enqueued(const Series& series, const TimingOptions& options);
  [[nodiscard]] std::vector<double> back_to_back(std::span<Series* const> series, const TimingOptions& options);

  runtime::Device& device_;
  runtime::Stream stream_;
  Slots& slots_;
  const HostClock& clock_;
  double busy_us_ = 0;
  std::optional<runtime::ClockState> clocks_;  // that were read while the device was at the samples
};

}  // namespace upsweep::tuner
