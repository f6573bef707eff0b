// Compares arrays in device memory on the device: to copy them to the host takes longer than most candidates run.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/device.hpp"
#include "runtime/kernel_store.hpp"

namespace upsweep::tuner {

// CUDA only. The device and the kernels must outlive it.
class DeviceComparison {
 public:
  // Throws CompilerError or DeviceError.
  DeviceComparison(runtime::Device& device, runtime::KernelStore& kernels);

  void begin(runtime::Stream stream);
  // Compares what both hold when what is on the stream is done, and waits for nothing. The addresses and the number of
  // bytes are multiples of 16. Throws DeviceError.
  void compare(const void* a, const void* b, std::uint64_t bytes, runtime::Stream stream);
  // Waits for the stream; whether all that was compared since it began was the same. Throws DeviceError.
  [[nodiscard]] bool all_same(runtime::Stream stream);

 private:
  runtime::Device& device_;
  std::shared_ptr<const runtime::LoadedKernel> kernel_;
  runtime::Buffer differs_;
};

}  // namespace upsweep::tuner
