// Holding back the work of a stream until the host has queued enough of it: calls that take about as long as launching
// them are then timed at the device's pace, whatever else the host is doing.
#pragma once

#include "runtime/cuda/driver.hpp"

namespace upsweep::runtime {

// A word of memory that a stream waits for. The context must be current in all calls.
class Gate {
 public:
  // Throws DeviceError.
  explicit Gate(const Driver& driver);
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate();

  // Nothing that is added to the stream from now on begins before `open`. No call may be made in between that waits for
  // the stream or the device: it would wait for ever. Throws DeviceError; then it is open.
  void close(CUstream stream);
  void open() noexcept;

 private:
  const Driver& driver_;
  void* word_ = nullptr;  // 1: open
  CUdeviceptr address_ = 0;
};

}  // namespace upsweep::runtime
