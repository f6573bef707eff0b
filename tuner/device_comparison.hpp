// Comparing device memory where it is: fetching it takes longer than most candidates run.
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

  // Whether both hold the same bytes when what is on the stream is done; waits for it. The addresses and the number of
  // bytes are multiples of 16. Throws DeviceError.
  [[nodiscard]] bool equal(const void* a, const void* b, std::uint64_t bytes, runtime::Stream stream);

 private:
  runtime::Device& device_;
  std::shared_ptr<const runtime::LoadedKernel> kernel_;
  runtime::Buffer differs_;
};

}  // namespace upsweep::tuner
