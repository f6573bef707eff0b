#include "tuner/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::tuner {
namespace {

// More would be noise, and is to be kept and shipped.
double five_digits(double us) {
  if (!(us > 0)) return us;
  const double power = std::pow(10.0, std::abs(4 - std::floor(std::log10(us))));
  return us < 1e5 ? std::round(us * power) / power : std::round(us / power) * power;
}

// Repeats what the first `filled` bytes hold.
void repeat(runtime::Device& device, runtime::Stream stream, std::byte* first, std::uint64_t filled,
            std::uint64_t bytes) {
  while (filled < bytes) {
    const std::uint64_t more = std::min(filled, bytes - filled);
    device.copy_on_device(first + filled, first, more, stream);
    filled += more;
  }
}

// Every slot begins with the pattern.
void fill_slots(runtime::Device& device, runtime::Stream stream, const runtime::Buffer& inputs, std::uint64_t bytes,
                std::uint64_t stride, int slots, std::span<const std::byte> pattern) {
  if (pattern.empty() || bytes == 0) return;
  auto* first = static_cast<std::byte*>(inputs.data());
  const std::uint64_t filled = std::min<std::uint64_t>(pattern.size(), bytes);
  device.copy_to_device(first, pattern.data(), filled, stream);
  repeat(device, stream, first, filled, bytes);
  for (int slot = 1; slot < slots; ++slot) device.copy_on_device(first + slot * stride, first, bytes, stream);
  device.synchronize(stream);
}

}  // namespace

double steady_microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int rotation_slots(const DeviceLimits& limits, Target target, std::uint64_t bytes_per_call) {
  if (target == Target::host) return 2;
  const std::uint64_t bytes = std::max<std::uint64_t>(bytes_per_call, 1);
  std::uint64_t slots = std::clamp<std::uint64_t>(4 * limits.l2_bytes / bytes + 1, 2, 256);
  if (limits.memory_bytes != 0) slots = std::min(slots, limits.memory_bytes / 4 / bytes);
  return static_cast<int>(std::max<std::uint64_t>(slots, 1));
}

std::uint64_t slot_stride(std::uint64_t bytes_per_call) {
  constexpr std::uint64_t alignment = 256;
  return std::max<std::uint64_t>((bytes_per_call + alignment - 1) / alignment, 1) * alignment;
}

RotationMemory::RotationMemory(runtime::Device& device, runtime::Stream stream, std::uint64_t input_bytes,
                               std::uint64_t output_bytes, std::span<const std::byte> pattern)
    : inputs(device, input_bytes), outputs(device, output_bytes) {
  const std::uint64_t filled = std::min<std::uint64_t>(pattern.size(), input_bytes);
  if (filled == 0) {
    device.fill(inputs.data(), 0, input_bytes, stream);
  } else {
    device.copy_to_device(inputs.data(), pattern.data(), filled, stream);
    repeat(device, stream, static_cast<std::byte*>(inputs.data()), filled, input_bytes);
  }
  device.fill(outputs.data(), 0, output_bytes, stream);
  device.synchronize(stream);
}

Measurement::Measurement(runtime::Device& device, runtime::Stream stream, std::uint64_t input_bytes,
                         std::uint64_t output_bytes, std::span<const std::byte> pattern, HostClock clock)
    : device_(device),
      stream_(stream),
      clock_(std::move(clock)),
      input_stride_(slot_stride(input_bytes)),
      output_stride_(slot_stride(output_bytes)),
      slots_(rotation_slots(device.limits(), device.target(), input_bytes + output_bytes)) {
  for (;; slots_ /= 2) {
    try {
      own_.emplace(device_, stream_, input_stride_ * slots_, output_stride_ * slots_, std::span<const std::byte>());
      break;
    } catch (const DeviceError&) {
      if (slots_ == 1) throw;
    }
  }
  inputs_ = static_cast<const std::byte*>(own_->inputs.data());
  outputs_ = static_cast<std::byte*>(own_->outputs.data());
  fill_slots(device_, stream_, own_->inputs, input_bytes, input_stride_, slots_, pattern);
}

Measurement::Measurement(runtime::Device& device, runtime::Stream stream, std::uint64_t input_bytes,
                         std::uint64_t output_bytes, const RotationMemory& memory, HostClock clock)
    : device_(device),
      stream_(stream),
      clock_(std::move(clock)),
      input_stride_(slot_stride(input_bytes)),
      output_stride_(slot_stride(output_bytes)),
      inputs_(static_cast<const std::byte*>(memory.inputs.data())),
      outputs_(static_cast<std::byte*>(memory.outputs.data())) {
  const std::uint64_t room = std::min(memory.inputs.bytes() / input_stride_, memory.outputs.bytes() / output_stride_);
  if (room == 0) {
    throw DeviceError(fmt::format(
        "a call of {} bytes of input and {} of output does not fit in the {} and {} bytes of memory to measure with: "
        "use fewer items",
        input_bytes, output_bytes, memory.inputs.bytes(), memory.outputs.bytes()));
  }
  const int wanted = rotation_slots(device.limits(), device.target(), input_bytes + output_bytes);
  slots_ = static_cast<int>(std::min<std::uint64_t>(room, wanted));
}

void Measurement::step(const Call& call, const TimingOptions& options) {
  call(inputs_ + next_slot_ * input_stride_, outputs_ + next_slot_ * output_stride_, stream_);
  if (options.caches == Caches::cold) next_slot_ = (next_slot_ + 1) % slots_;
}

double Measurement::synchronized_sample(const Call& call, int calls, const TimingOptions& options) {
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    device_.synchronize(stream_);
    const double begin = clock_();
    step(call, options);
    device_.synchronize(stream_);
    times.push_back(clock_() - begin);
  }
  return median(std::move(times));
}

double Measurement::enqueued_sample(const Call& call, int calls, const TimingOptions& options) {
  device_.synchronize(stream_);
  const double begin = clock_();
  for (int i = 0; i < calls; ++i) step(call, options);
  const double end = clock_();
  device_.synchronize(stream_);
  return (end - begin) / calls;
}

double Measurement::launched_sample(const Call& call, int calls, const TimingOptions& options) {
  const double us = device_.elapsed_us(stream_, [&] {
    for (int i = 0; i < calls; ++i) step(call, options);
  });
  busy_us_ += us;
  return five_digits(us / calls);
}

double Measurement::take_one(const Call& call, int calls, const TimingOptions& options) {
  if (options.timing == Timing::synchronized) return synchronized_sample(call, calls, options);
  if (options.timing == Timing::launched) return launched_sample(call, calls, options);
  if (options.timing == Timing::enqueued) return enqueued_sample(call, calls, options);
  return take(std::span(&call, 1), std::vector<WarmUp>{{.calls = calls}}, options).front();
}

std::vector<double> Measurement::take(std::span<const Call> calls, std::span<const WarmUp> warm,
                                      const TimingOptions& options) {
  std::vector<double> samples;
  if (options.timing != Timing::back_to_back) {
    for (std::size_t i = 0; i < calls.size(); ++i) samples.push_back(take_one(calls[i], warm[i].calls, options));
    return samples;
  }
  std::vector<runtime::Stretch> stretches;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    stretches.push_back({[this, &call = calls[i], &options] { step(call, options); }, warm[i].calls, warm[i].call_us,
                         options.launches});
  }
  samples = device_.back_to_back_us(stream_, stretches);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    busy_us_ += samples[i];
    samples[i] = five_digits(samples[i] / warm[i].calls);
  }
  return samples;
}

Measurement::WarmUp Measurement::warm_up(const Call& call, const TimingOptions& options) {
  // The first call is timed with what it loads and the latency of its launch: it only tells the hopeless.
  constexpr double latency_us = 1000;
  WarmUp warm;
  const int most = device_.target() == Target::host ? 1 : std::max(options.maximum_calls, 1);
  for (int round = 0;; ++round) {
    warm.call_us = take_one(call, warm.calls, options);
    if (warm.call_us > 4 * options.limit_us + latency_us) {
      warm.hopeless = true;
      return warm;
    }
    if (round == 0) continue;
    const double fitting = warm.call_us > 0 ? std::ceil(options.sample_us / warm.call_us) : most;
    const bool near = warm.call_us * warm.calls >= options.sample_us / 4;
    warm.calls = static_cast<int>(std::clamp<double>(fitting, warm.calls, most));
    if (near || warm.calls == most) return warm;
  }
}

std::vector<double> Measurement::time(const Call& call, const TimingOptions& options) {
  const WarmUp warm = warm_up(call, options);
  if (warm.hopeless) return {warm.call_us};
  const auto wanted = static_cast<std::size_t>(warm.call_us > options.limit_us ? 1 : std::max(options.samples, 1));
  const std::vector<Call> calls(wanted, call);
  const std::vector<WarmUp> all_warm(wanted, warm);
  int retries = 1;
  while (true) {
    std::vector<double> samples = take(calls, all_warm, options);
    if (!must_drop(static_cast<int>(wanted), retries)) return samples;
  }
}

bool Measurement::must_drop(int samples, int& retries) {
  clocks_ = device_.clocks();
  if (!clocks_.throttled() || retries-- <= 0) return false;
  dropped_ += samples;
  return true;
}

std::vector<std::vector<double>> Measurement::time_in_turn(std::span<const Call> calls, const TimingOptions& asked) {
  const double begin = clock_();
  TimingOptions options = asked;
  // Warming a call up takes about as long as one of its samples.
  const auto shares = static_cast<double>(calls.size()) * (std::max(options.samples, 1) + 1);
  options.sample_us = std::min(options.sample_us, options.budget_us / std::max(shares, 1.0));

  std::vector<WarmUp> warm;
  for (const Call& call : calls) warm.push_back(warm_up(call, options));
  std::vector<std::vector<double>> samples(calls.size());
  double round_us = 0;
  int retries = options.samples;
  for (int round = 0; round < std::max(options.samples, 1);) {
    const double now = clock_();
    if (round >= options.fewest_samples && now - begin + round_us > options.budget_us) break;
    const std::vector<double> taken = take(calls, warm, options);
    round_us = clock_() - now;
    if (must_drop(1, retries)) continue;
    for (std::size_t i = 0; i < calls.size(); ++i) samples[i].push_back(taken[i]);
    ++round;
  }
  return samples;
}

double median(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::infinity();
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

}  // namespace upsweep::tuner
