// Timing with cold caches: calls rotate through more input and output memory than the L2 cache holds.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "runtime/device.hpp"

namespace upsweep::tuner {

struct TimingOptions {
  int samples = 7;
  double sample_us = 1000;   // as many calls back to back as take about this long are one sample
  int maximum_calls = 1000;  // a sample; the host device's clock needs no more than one
  // A call that takes longer than this many microseconds is hopeless: its first sample is the only one.
  double limit_us = std::numeric_limits<double>::infinity();
};

// Slots of input and output that calls rotate through: more than four times the L2 cache in all, 2 to 256, at most a
// quarter of the device's memory; 2 on the host device.
[[nodiscard]] int rotation_slots(const DeviceLimits& limits, Target target, std::uint64_t bytes_per_call);

class Measurement {
 public:
  // Reads `in`, writes `out` and adds to the stream whatever is to be timed: a plan, a memcpy, another library's call.
  using Call = std::function<void(const void* in, void* out, runtime::Stream stream)>;

  // Allocates the slots and fills the inputs with repetitions of the pattern (zeros if it is empty). Halves the number
  // of slots where memory is short; throws DeviceError if not even one slot can be had.
  Measurement(runtime::Device& device, runtime::Stream stream, std::uint64_t input_bytes, std::uint64_t output_bytes,
              std::span<const std::byte> pattern);

  [[nodiscard]] int slots() const noexcept { return slots_; }

  // Microseconds a call, a value a sample. Warms up first.
  [[nodiscard]] std::vector<double> time(const Call& call, const TimingOptions& options = {});

  // Samples of several calls in turn, so that what changes in time (clocks, other users) meets all of them alike.
  [[nodiscard]] std::vector<std::vector<double>> time_in_turn(std::span<const Call> calls,
                                                              const TimingOptions& options = {});

 private:
  struct WarmUp {
    int calls = 1;          // a sample
    double call_us = 0;     // estimate
    bool hopeless = false;  // far beyond the limit
  };
  void fill(std::span<const std::byte> pattern);
  [[nodiscard]] WarmUp warm_up(const Call& call, const TimingOptions& options);
  [[nodiscard]] double sample(const Call& call, int calls);  // microseconds a call

  runtime::Device& device_;
  runtime::Stream stream_;
  std::uint64_t input_bytes_;
  std::uint64_t input_stride_;
  std::uint64_t output_stride_;
  int slots_ = 0;
  int next_slot_ = 0;
  runtime::Buffer inputs_;
  runtime::Buffer outputs_;
};

// The middle value, or the mean of the two middle ones; infinity of none.
[[nodiscard]] double median(std::vector<double> samples);

}  // namespace upsweep::tuner
