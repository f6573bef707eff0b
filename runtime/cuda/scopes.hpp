// Scopes around calls of the driver API: the current context, and a capture mode that allows the call.
#pragma once

#include "runtime/cuda/driver.hpp"

namespace upsweep::runtime {

// Makes a context current for a scope, and the one before it again afterwards.
class Current {
 public:
  Current(const Driver& driver, CUcontext context) : driver_(driver) {
    CUcontext before = nullptr;
    driver.check(driver.cuCtxGetCurrent(&before), "reading the current CUDA context");
    if (before == context) return;
    driver.check(driver.cuCtxPushCurrent_v2(context), "making the CUDA context current");
    pushed_ = true;
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
  ~Current() {
    CUcontext ours = nullptr;
    if (pushed_) driver_.cuCtxPopCurrent_v2(&ours);
  }

 private:
  const Driver& driver_;
  bool pushed_ = false;
};

// Lets this thread make calls that a capture elsewhere in the process would forbid.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const Driver& driver) : driver_(driver) {
    driver.check(driver.cuThreadExchangeStreamCaptureMode(&mode_), "relaxing the stream capture mode");
  }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;
  ~RelaxedCapture() { driver_.cuThreadExchangeStreamCaptureMode(&mode_); }

 private:
  const Driver& driver_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

}  // namespace upsweep::runtime
