// A stream of a green context that a program makes itself.
#pragma once

#include "tests/gpu/gpu.hpp"

namespace upsweep::test {

// Of at least that many multiprocessors of device 0, for the length of a scope.
class GreenStream {
 public:
  explicit GreenStream(unsigned multiprocessors) {
    runtime::DeviceResource all, part, rest;
    unsigned groups = 1;
    runtime::DeviceResourceDescription description = nullptr;
    check(driver_.cuDeviceGetDevResource(0, &all, runtime::multiprocessor_resource));
    check(driver_.cuDevSmResourceSplitByCount(&part, &groups, &all, &rest, 0, multiprocessors));
    check(driver_.cuDevResourceGenerateDesc(&description, &part, 1));
    check(driver_.cuGreenCtxCreate(&context_, description, 0, runtime::green_default_stream));
    check(driver_.cuGreenCtxStreamCreate(&stream_, context_, CU_STREAM_NON_BLOCKING, 0));
    multiprocessors_ = static_cast<int>(part.multiprocessors);
  }
  GreenStream(const GreenStream&) = delete;
  GreenStream& operator=(const GreenStream&) = delete;
  ~GreenStream() {
    if (stream_ != nullptr) driver_.cuStreamDestroy_v2(stream_);
    if (context_ != nullptr) driver_.cuGreenCtxDestroy(context_);
  }
  [[nodiscard]] Stream get() const { return stream_; }
  [[nodiscard]] int multiprocessors() const { return multiprocessors_; }

 private:
  void check(CUresult result) { driver_.check(result, "making a green context"); }
  const runtime::Driver& driver_ = runtime::driver();
  runtime::GreenContext context_ = nullptr;
  CUstream stream_ = nullptr;
  int multiprocessors_ = 0;
};

}  // namespace upsweep::test
