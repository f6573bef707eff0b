// Timing of calls. With cold caches they rotate through more memory than the L2 cache holds.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/device.hpp"
#include "tuner/measure/rotation_memory.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

// What the caches hold when a call begins.
enum class Caches : std::uint8_t {
  cold,  // nothing of its input: calls rotate through the slots
  warm   // what the call before left there: all calls use one slot
};

// What a sample is.
enum class Timing : std::uint8_t {
  back_to_back,  // the device's time for many calls in a row, divided by their number; they wait until it cannot idle
  launched,      // the same, with calls that begin as the host makes them: small ones take what launching them takes
  replayed,      // the same, with calls that are recorded once: samples cost the host next to nothing, and small calls
                 // take less than launched one by one; where the device records nothing, as `back_to_back`
  synchronized,  // the host's time for one call and for waiting until it is done; the median of several
  enqueued       // the host's time for adding many calls to the stream, divided by their number; no waiting
};

// Microseconds of the host's clock since some moment.
using HostClock = std::function<double()>;
[[nodiscard]] double steady_microseconds();

struct TimingOptions {
  int samples = 7;
  double sample_us = 1000;   // as many calls back to back as take about this long are one sample
  int maximum_calls = 1000;  // a sample; the host device's clock needs no more than one
  // A call that takes longer than this many microseconds is hopeless: its first sample is the only one.
  double limit_us = std::numeric_limits<double>::infinity();
  int maximum_recorded = 256;  // calls a sample, of recorded ones: recording takes about as long as launching does
  int launches = 3;            // that a call makes at most
  Caches caches = Caches::cold;
  Timing timing = Timing::back_to_back;
  // What time_in_turn may take on the host's clock, warming up included: samples are made shorter and fewer to keep to
  // it, but not fewer than `fewest_samples`.
  double budget_us = std::numeric_limits<double>::infinity();
  int fewest_samples = 3;
  // Called while the device works on samples of recorded calls, once for each time that they are waited for.
  std::function<void()> meanwhile = {};
};

// Reads the inputs, writes the outputs and adds to the stream whatever is to be timed: a plan, a memcpy, another
// library's call.
using TimedCall = std::function<void(const SlotArrays& arrays, runtime::Stream stream)>;

// A call, and what its first timing has found, which later ones begin with: how long it takes and a recording of it. It
// must not outlive the memory that its measurement used, and must be timed by that and with equal options only.
class Series {
 public:
  explicit Series(TimedCall call) : call_(std::move(call)) {}

 private:
  friend class Measurement;
  TimedCall call_;
  bool timed_ = false;  // the others are known
  int calls_ = 0;       // a sample
  double call_us_ = 0;  // estimate
  int slots_ = 0;       // that the recorded calls use
  std::unique_ptr<runtime::Recording> recording_;
};

class Measurement {
 public:
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  using Call = TimedCall;

  // Allocates the slots and fills the inputs: each begins with its pattern. Halves the number of slots where memory is
  // short; throws DeviceError if not even one slot can be had.
  Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
              HostClock clock = steady_microseconds);
  // With as many slots as the memory has room for; it must outlive this, and what calls write to the outputs stays
  // there. Its inputs have the patterns that they were given. Throws DeviceError if not even one slot fits.
  Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
              RotationMemory& memory, HostClock clock = steady_microseconds);

  [[nodiscard]] int slots() const noexcept { return slots_; }
  // The arrays of one of them.
  [[nodiscard]] SlotArrays slot(int index) const;
  // What all samples but synchronized ones have taken so far, by the device's clock, and emptying the cache for them.
  [[nodiscard]] double busy_us() const noexcept { return busy_us_; }

  // Microseconds a call, a value a sample. Warms up what was not timed before. Samples taken while something held the
  // clocks down are dropped and taken again, but once for each asked for: a device that never runs freely is measured
  // as it is.
  [[nodiscard]] std::vector<double> time(const Call& call, const TimingOptions& options = {});
  [[nodiscard]] std::vector<double> time(Series& series, const TimingOptions& options);

  // Samples of several calls in turn, whatever the limit, so that what changes in time (clocks, other users) meets all
  // of them alike. Rounds in which the clocks were held down are dropped as `time` drops samples.
  [[nodiscard]] std::vector<std::vector<double>> time_in_turn(std::span<const Call> calls,
                                                              const TimingOptions& options = {});
  [[nodiscard]] std::vector<std::vector<double>> time_in_turn(std::span<Series* const> series,
                                                              const TimingOptions& options);

  // Records what will be timed with the same options, with as many calls as another that probably takes about as long:
  // for when the device is busy. Nothing if that one is not recorded.
  void record_ahead(Series& series, const Series& like, const TimingOptions& options);

  // Of the device, when the latest sample ended, or while recorded ones were under way.
  [[nodiscard]] const runtime::ClockState& clocks() const noexcept { return clocks_; }
  // Samples and rounds that were dropped so far.
  [[nodiscard]] int dropped() const noexcept { return dropped_; }

 private:
  struct Slots {
    std::byte* first = nullptr;
    std::uint64_t stride = 0;
  };
  // Where the arrays lie in the memory; returns how many slots it has room for.
  std::uint64_t lay_out(std::span<const TimedArray> arrays);
  void step(const Call& call, const TimingOptions& options);  // one call, with the next slot
  // Finds out what later samples begin with. False if it takes far longer than the limit.
  [[nodiscard]] bool warm_up(Series& series, const TimingOptions& options);
  [[nodiscard]] bool warm_up_replayed(Series& series, const TimingOptions& options);
  // On the host device: warming up would take as long again, and change nothing.
  [[nodiscard]] bool is_long(const Series& series) const;
  [[nodiscard]] static bool hopeless(double us, const TimingOptions& options);
  [[nodiscard]] bool record_if_possible(Series& series, const TimingOptions& options);
  // Where the device can.
  [[nodiscard]] bool record(Series& series, const TimingOptions& options);
  // Microseconds a call, a value a sample.
  [[nodiscard]] std::vector<double> take(std::span<Series* const> series, const TimingOptions& options);
  [[nodiscard]] std::vector<double> take_replayed(std::span<Series* const> series, const TimingOptions& options);
  [[nodiscard]] double take_one(const Series& series, const TimingOptions& options);
  [[nodiscard]] double synchronized_sample(const Call& call, int calls, const TimingOptions& options);
  [[nodiscard]] double launched_sample(const Call& call, int calls, const TimingOptions& options);
  [[nodiscard]] double enqueued_sample(const Call& call, int calls, const TimingOptions& options);
  [[nodiscard]] bool finds_its_input_cached(const Series& series, const TimingOptions& options) const;
  void evict();
  // Whether the samples just taken are to be taken again; `retries` counts down.
  [[nodiscard]] bool must_drop(int samples, int& retries);

  runtime::Device& device_;
  runtime::Stream stream_;
  HostClock clock_;
  int slots_ = 0;
  int next_slot_ = 0;
  double busy_us_ = 0;
  std::uint64_t call_bytes_;
  std::optional<RotationMemory> own_;  // nothing if it was given some
  RotationMemory* memory_ = nullptr;
  std::vector<Slots> arrays_;
  runtime::ClockState clocks_;
  bool clocks_are_of_now_ = false;  // they were read while the device was at the samples
  int dropped_ = 0;
};

}  // namespace upsweep::tuner
