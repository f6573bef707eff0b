// Holds back the work of a stream until the host has queued enough of it: calls that take about as long as launching
// them are then timed as the device runs them, whatever else the host is doing.
#pragma once

#include "runtime/cuda/driver.hpp"

namespace upsweep::runtime {

// A word of memory that a stream waits for. The context must be current in all calls.
class StreamHold {
 public:
  // Throws DeviceError.
  explicit StreamHold(const Driver& driver);
  StreamHold(const StreamHold&) = delete;
  StreamHold& operator=(const StreamHold&) = delete;
  ~StreamHold();

  // Nothing that is added to the stream from now on begins before `release`. No call may be made in between that waits
  // for the stream or the device: it would wait for ever. Throws DeviceError; then the stream is not held.
  void hold(CUstream stream);
  void release() noexcept;

 private:
  const Driver& driver_;
  void* word_ = nullptr;  // 1: released
  CUdeviceptr address_ = 0;
};

}  // namespace upsweep::runtime
