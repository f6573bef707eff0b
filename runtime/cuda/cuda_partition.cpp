// How many multiprocessors there are for a context or a stream: green contexts have a part of the device's.
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/scopes.hpp"
#include "runtime/cuda/streams.hpp"

namespace upsweep::runtime {

// Drivers before CUDA 12.4 have no green contexts, and their contexts all of the device.
void CudaDevice::read_partition() {
  context_multiprocessors_ = limits_.multiprocessors;
  if (driver_.cuCtxGetDevResource == nullptr) return;
  DeviceResource resource;
  if (driver_.cuCtxGetDevResource(context_, &resource, multiprocessor_resource) != CUDA_SUCCESS) return;
  if (resource.multiprocessors > 0) context_multiprocessors_ = static_cast<int>(resource.multiprocessors);
}

int CudaDevice::multiprocessors_of(Stream stream) const {
  if (stream_of(stream) == nullptr || driver_.cuStreamGetGreenCtx == nullptr) return context_multiprocessors_;
  const Current current(driver_, context_);
  GreenContext green = nullptr;
  DeviceResource resource;
  if (driver_.cuStreamGetGreenCtx(stream_of(stream), &green) != CUDA_SUCCESS || green == nullptr) {
    return context_multiprocessors_;
  }
  if (driver_.cuGreenCtxGetDevResource(green, &resource, multiprocessor_resource) != CUDA_SUCCESS ||
      resource.multiprocessors == 0) {
    return context_multiprocessors_;
  }
  return static_cast<int>(resource.multiprocessors);
}

}  // namespace upsweep::runtime
