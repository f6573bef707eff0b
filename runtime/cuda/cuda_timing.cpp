// Timing on a GPU: events around pieces of work, and around stretches of calls that wait behind a gate.
#include <algorithm>
#include <chrono>
#include <exception>

#include <upsweep/error.hpp>

#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/cuda_recording.hpp"
#include "runtime/cuda/scopes.hpp"
#include "runtime/cuda/streams.hpp"

namespace upsweep::runtime {
namespace {

// How many calls the device must not begin before, so that it does not catch up with the host; and how many can wait:
// launching waits where some thousand launches are in a stream.
struct Hold {
  int needed = 0;
  int most = 0;
};

Hold hold_for(std::span<const Stretch> stretches, double host_us) {
  constexpr int most_launches = 768;
  constexpr int least = 8;
  constexpr double slack_us = 100;  // by which the host may fall behind
  double device_us = 0;
  int calls = 0, launches = 1;
  bool known = true;
  for (const Stretch& stretch : stretches) {
    device_us += stretch.calls * stretch.call_us;
    calls += stretch.calls;
    launches = std::max(launches, stretch.launches);
    known = known && stretch.call_us > 0;
  }
  const int most = most_launches / launches;
  if (!known) return {std::min(calls, most), most};
  const double call_us = device_us / calls;
  const double behind = calls * std::max(1 - call_us / host_us, 0.0);
  const double needed = std::max<double>(behind + slack_us / call_us, least);
  return {static_cast<int>(std::min<double>(needed, calls)), most};
}

// However a scope is left.
struct Opening {
  Gate& gate;
  ~Opening() { gate.open(); }
};

}  // namespace

double CudaDevice::elapsed_us(Stream stream, const std::function<void()>& work) {
  return elapsed_each_us(stream, std::span(&work, 1), {}).front();
}

std::vector<double> CudaDevice::elapsed_each_us(Stream stream, std::span<const std::function<void()>> works,
                                                const std::function<void()>& meanwhile) {
  const Current current(driver_, context_);
  Events::Lent events(*events_, works.size() + 1);
  events.mark(stream_of(stream));
  for (const std::function<void()>& work : works) {
    work();
    events.mark(stream_of(stream));
  }
  std::exception_ptr failure;
  try {
    if (meanwhile) meanwhile();
  } catch (...) {
    failure = std::current_exception();
  }
  std::vector<double> times = events.between();
  if (failure) std::rethrow_exception(failure);
  return times;
}

std::unique_ptr<Recording> CudaDevice::record(Stream stream, const std::function<void()>& work) {
  if (!graphs_keep_dependence_ || is_legacy(stream_of(stream))) return nullptr;
  const Current current(driver_, context_);
  return std::make_unique<CudaRecording>(driver_, context_, stream_of(stream), work);
}

bool CudaDevice::close_gate(Stream stream) {
  if (gate_failed_) return false;
  try {
    if (!gate_) gate_ = std::make_unique<Gate>(driver_);
    gate_->close(stream_of(stream));
  } catch (const DeviceError&) {
    gate_failed_ = true;
  }
  return !gate_failed_;
}

std::vector<double> CudaDevice::back_to_back_us(Stream stream, std::span<const Stretch> stretches) {
  constexpr int fewest_calls = 8;  // of fewer, a kernel may be loaded that was not yet, which waits for the device
  int calls = 0;
  for (const Stretch& stretch : stretches) calls += stretch.calls;
  if (calls < fewest_calls) return Device::back_to_back_us(stream, stretches);
  const Current current(driver_, context_);
  const std::lock_guard lock(gate_mutex_);
  const Hold hold = hold_for(stretches, host_us_);
  if (hold.needed <= hold.most) return behind_gate(stream, stretches, hold.needed);
  std::vector<double> times;
  for (const Stretch& stretch : stretches) {
    const Hold own = hold_for(std::span(&stretch, 1), host_us_);
    times.push_back(own.needed <= own.most ? behind_gate(stream, std::span(&stretch, 1), own.needed).front()
                                           : in_parts(stream, stretch, own.most));
  }
  return times;
}

// More calls than a stream holds, of a device that would catch up with the host: as many at a time as it holds.
double CudaDevice::in_parts(Stream stream, const Stretch& stretch, int most) {
  const int parts = (stretch.calls + most - 1) / most;
  double us = 0;
  for (int part = 0; part < parts; ++part) {
    Stretch own = stretch;
    own.calls = stretch.calls / parts + (part < stretch.calls % parts ? 1 : 0);
    us += behind_gate(stream, std::span(&own, 1), own.calls).front();
  }
  return us;
}

std::vector<double> CudaDevice::behind_gate(Stream stream, std::span<const Stretch> stretches, int held) {
  if (!close_gate(stream)) return Device::back_to_back_us(stream, stretches);
  const Opening opening{*gate_};
  Events::Lent events(*events_, stretches.size() + 1);
  events.mark(stream_of(stream));
  int made = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto open = [&] {
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    gate_->open();
    host_us_ = (host_us_ + took.count() / std::max(made, 1)) / 2;
  };
  for (const Stretch& stretch : stretches) {
    for (int i = 0; i < stretch.calls; ++i, ++made) {
      if (made == held) open();
      stretch.call();
    }
    events.mark(stream_of(stream));
  }
  if (made <= held) open();
  return events.between();
}

}  // namespace upsweep::runtime
