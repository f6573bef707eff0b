// A kernel loaded through the CUDA driver API.
#pragma once

#include <span>
#include <string>

#include "runtime/cuda/driver.hpp"
#include "runtime/device.hpp"

namespace upsweep::runtime {

class CudaKernel final : public Kernel {
 public:
  // Loads the binary in the context and lets the kernel have what its launches need. Throws DeviceError.
  CudaKernel(const Driver& driver, CUcontext context, std::span<const std::byte> binary, const std::string& entry,
             const LaunchRule& launch);
  CudaKernel(const CudaKernel&) = delete;
  CudaKernel& operator=(const CudaKernel&) = delete;
  ~CudaKernel() override;

  [[nodiscard]] CUfunction function() const noexcept { return function_; }

  // The context must be current. Throws DeviceError; UsageError for more blocks than a launch can have.
  void launch(const Launch& launch, void** arguments, CUstream stream) const;

 private:
  void permit(const LaunchRule& launch);
  [[nodiscard]] CUresult launch_extended(const Launch& launch, void** arguments, CUstream stream) const;

  const Driver& driver_;
  CUcontext context_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

}  // namespace upsweep::runtime
