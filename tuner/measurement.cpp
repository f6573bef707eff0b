#include "tuner/measurement.hpp"

#include <algorithm>
#include <cmath>

#include <upsweep/error.hpp>

namespace upsweep::tuner {
namespace {

// Slots begin where cudaMalloc's blocks would.
constexpr std::uint64_t slot_alignment = 256;

std::uint64_t stride_of(std::uint64_t bytes) {
  return std::max<std::uint64_t>((bytes + slot_alignment - 1) / slot_alignment, 1) * slot_alignment;
}

}  // namespace

int rotation_slots(const DeviceLimits& limits, Target target, std::uint64_t bytes_per_call) {
  if (target == Target::host) return 2;
  const std::uint64_t bytes = std::max<std::uint64_t>(bytes_per_call, 1);
  std::uint64_t slots = std::clamp<std::uint64_t>(4 * limits.l2_bytes / bytes + 1, 2, 256);
  if (limits.memory_bytes != 0) slots = std::min(slots, limits.memory_bytes / 4 / bytes);
  return static_cast<int>(std::max<std::uint64_t>(slots, 1));
}

Measurement::Measurement(runtime::Device& device, runtime::Stream stream, std::uint64_t input_bytes,
                         std::uint64_t output_bytes, std::span<const std::byte> pattern)
    : device_(device),
      stream_(stream),
      input_bytes_(input_bytes),
      input_stride_(stride_of(input_bytes)),
      output_stride_(stride_of(output_bytes)),
      slots_(rotation_slots(device.limits(), device.target(), input_bytes + output_bytes)) {
  for (;; slots_ /= 2) {
    try {
      inputs_ = runtime::Buffer(device_, input_stride_ * slots_);
      outputs_ = runtime::Buffer(device_, output_stride_ * slots_);
      break;
    } catch (const DeviceError&) {
      inputs_ = runtime::Buffer();
      if (slots_ == 1) throw;
    }
  }
  fill(pattern);
  device_.fill(outputs_.data(), 0, outputs_.bytes(), stream_);
  device_.synchronize(stream_);
}

void Measurement::fill(std::span<const std::byte> pattern) {
  auto* first = static_cast<std::byte*>(inputs_.data());
  std::uint64_t filled = std::min<std::uint64_t>(pattern.size(), input_bytes_);
  if (filled == 0) return device_.fill(first, 0, inputs_.bytes(), stream_);
  device_.copy_to_device(first, pattern.data(), filled, stream_);
  while (filled < input_bytes_) {
    const std::uint64_t more = std::min(filled, input_bytes_ - filled);
    device_.copy_on_device(first + filled, first, more, stream_);
    filled += more;
  }
  for (int slot = 1; slot < slots_; ++slot) {
    device_.copy_on_device(first + slot * input_stride_, first, input_bytes_, stream_);
  }
}

double Measurement::sample(const Call& call, int calls) {
  const auto* in = static_cast<const std::byte*>(inputs_.data());
  auto* out = static_cast<std::byte*>(outputs_.data());
  const double elapsed = device_.elapsed_us(stream_, [&] {
    for (int i = 0; i < calls; ++i) {
      call(in + next_slot_ * input_stride_, out + next_slot_ * output_stride_, stream_);
      next_slot_ = (next_slot_ + 1) % slots_;
    }
  });
  return elapsed / calls;
}

Measurement::WarmUp Measurement::warm_up(const Call& call, const TimingOptions& options) {
  // The first call is timed with what it loads and the latency of its launch: it only tells the hopeless.
  constexpr double latency_us = 1000;
  WarmUp warm;
  const int most = device_.target() == Target::host ? 1 : std::max(options.maximum_calls, 1);
  for (int round = 0;; ++round) {
    warm.call_us = sample(call, warm.calls);
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
  std::vector<double> samples;
  while (static_cast<int>(samples.size()) < std::max(options.samples, 1)) {
    samples.push_back(sample(call, warm.calls));
    if (samples.front() > options.limit_us) break;
  }
  return samples;
}

std::vector<std::vector<double>> Measurement::time_in_turn(std::span<const Call> calls, const TimingOptions& options) {
  std::vector<int> calls_per_sample;
  for (const Call& call : calls) calls_per_sample.push_back(warm_up(call, options).calls);
  std::vector<std::vector<double>> samples(calls.size());
  for (int round = 0; round < std::max(options.samples, 1); ++round) {
    for (std::size_t i = 0; i < calls.size(); ++i) samples[i].push_back(sample(calls[i], calls_per_sample[i]));
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
