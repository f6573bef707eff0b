// Timing on a GPU: events around pieces of work, and around batches of calls in a stream that is held.
#include <algorithm>
#include <chrono>

#include <upsweep/error.hpp>

#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/cuda_recording.hpp"
#include "runtime/cuda/scopes.hpp"
#include "runtime/cuda/streams.hpp"

namespace upsweep::runtime {
namespace {

// How many calls the device must not begin before, so that it does not catch up with the host; and how many can wait:
// launching waits where some thousand launches are in a stream.
struct HeldCalls {
  int needed = 0;
  int most = 0;
};

HeldCalls held_calls(std::span<const Batch> batches, double host_us) {
  constexpr int most_launches = 768;
  constexpr int least = 8;
  constexpr double slack_us = 100;  // by which the host may fall behind
  double device_us = 0;
  int calls = 0, launches = 1;
  bool known = true;
  for (const Batch& batch : batches) {
    device_us += batch.calls * batch.call_us;
    calls += batch.calls;
    launches = std::max(launches, batch.launches);
    known = known && batch.call_us > 0;
  }
  const int most = most_launches / launches;
  if (!known) return {std::min(calls, most), most};
  const double call_us = device_us / calls;
  const double behind = calls * std::max(1 - call_us / host_us, 0.0);
  const double needed = std::max<double>(behind + slack_us / call_us, least);
  return {static_cast<int>(std::min<double>(needed, calls)), most};
}

// However a scope is left.
struct ReleaseAtEnd {
  StreamHold& hold;
  ~ReleaseAtEnd() { hold.release(); }
};

class EventTiming final : public StartedTiming {
 public:
  EventTiming(const Driver& driver, CUcontext context, Events& events, CUstream stream,
              std::span<const std::function<void()>> works)
      : driver_(driver), context_(context), events_(events, works.size() + 1) {
    events_.mark(stream);
    for (const std::function<void()>& work : works) {
      work();
      events_.mark(stream);
    }
  }
  ~EventTiming() override {
    try {
      if (!finished_) static_cast<void>(finish());
    } catch (const Error&) {  // nothing runs any more, and nobody asks for the times
    }
  }
  EventTiming(const EventTiming&) = delete;
  EventTiming& operator=(const EventTiming&) = delete;

  std::vector<double> finish() override {
    const Current current(driver_, context_);
    finished_ = true;
    return events_.between();
  }

 private:
  const Driver& driver_;
  CUcontext context_;
  Events::Lent events_;
  bool finished_ = false;
};

}  // namespace

double CudaDevice::elapsed_us(Stream stream, const std::function<void()>& work) {
  return start_timing(stream, std::span(&work, 1))->finish().front();
}

std::unique_ptr<StartedTiming> CudaDevice::start_timing(Stream stream, std::span<const std::function<void()>> works) {
  const Current current(driver_, context_);
  return std::make_unique<EventTiming>(driver_, context_, *events_, queue(stream), works);
}

std::unique_ptr<Recording> CudaDevice::record(Stream stream, const std::function<void()>& work) {
  if (!graphs_keep_dependence_ || is_legacy(queue(stream))) return nullptr;
  const Current current(driver_, context_);
  return std::make_unique<CudaRecording>(driver_, context_, queue(stream), queue(nullptr), work);
}

bool CudaDevice::hold_stream(Stream stream) {
  if (hold_failed_) return false;
  try {
    if (!hold_) hold_ = std::make_unique<StreamHold>(driver_);
    hold_->hold(queue(stream));
  } catch (const DeviceError&) {
    hold_failed_ = true;
  }
  return !hold_failed_;
}

std::vector<double> CudaDevice::back_to_back_us(Stream stream, std::span<const Batch> batches) {
  constexpr int fewest_calls = 8;  // of fewer, a kernel may be loaded that was not yet, which waits for the device
  int calls = 0;
  for (const Batch& batch : batches) calls += batch.calls;
  if (calls < fewest_calls) return Device::back_to_back_us(stream, batches);
  const Current current(driver_, context_);
  const std::lock_guard lock(hold_mutex_);
  const HeldCalls all = held_calls(batches, host_us_);
  if (all.needed <= all.most) return while_held(stream, batches, all.needed);
  std::vector<double> times;
  for (const Batch& batch : batches) {
    const HeldCalls own = held_calls(std::span(&batch, 1), host_us_);
    times.push_back(own.needed <= own.most ? while_held(stream, std::span(&batch, 1), own.needed).front()
                                           : in_parts(stream, batch, own.most));
  }
  return times;
}

// More calls than a stream holds, of a device that would catch up with the host: as many at a time as it holds.
double CudaDevice::in_parts(Stream stream, const Batch& batch, int most) {
  const int parts = (batch.calls + most - 1) / most;
  double us = 0;
  for (int part = 0; part < parts; ++part) {
    Batch own = batch;
    own.calls = batch.calls / parts + (part < batch.calls % parts ? 1 : 0);
    us += while_held(stream, std::span(&own, 1), own.calls).front();
  }
  return us;
}

std::vector<double> CudaDevice::while_held(Stream stream, std::span<const Batch> batches, int held) {
  if (!hold_stream(stream)) return Device::back_to_back_us(stream, batches);
  const ReleaseAtEnd at_end{*hold_};
  Events::Lent events(*events_, batches.size() + 1);
  events.mark(queue(stream));
  int made = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto release = [&] {
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    hold_->release();
    host_us_ = (host_us_ + took.count() / std::max(made, 1)) / 2;
  };
  for (const Batch& batch : batches) {
    for (int i = 0; i < batch.calls; ++i, ++made) {
      if (made == held) release();
      batch.call();
    }
    events.mark(queue(stream));
  }
  if (made <= held) release();
  return events.between();
}

}  // namespace upsweep::runtime
