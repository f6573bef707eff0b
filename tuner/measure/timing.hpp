// What a timing measures: the kind of calls, what a sample is, and how many samples.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

#include "runtime/device.hpp"
#include "tuner/measure/rotation_memory.hpp"

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
[[nodiscard]] inline double steady_microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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
  // What a timing in turn may take on the host's clock, warming up included: samples are made shorter and fewer to keep
  // to it, but not fewer than `fewest_samples`.
  double budget_us = std::numeric_limits<double>::infinity();
  int fewest_samples = 3;
};

// Reads the inputs, writes the outputs and adds to the stream whatever is to be timed: a plan, a memcpy, another
// library's call.
using TimedCall = std::function<void(const SlotArrays& arrays, runtime::Stream stream)>;

}  // namespace upsweep::tuner
