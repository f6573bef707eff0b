// The context that a device runs in, and how many multiprocessors serve it and each stream: green contexts have a part
// of the device's.
#include <algorithm>

#include "generator/device_limits.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/scopes.hpp"
#include "runtime/cuda/streams.hpp"

namespace upsweep::runtime {

void CudaDevice::take_context(const std::optional<Part>& part) {
  all_multiprocessors_ = limits_.multiprocessors;
  if (!part && current() == ordinal_) {
    driver_.check(driver_.cuCtxGetCurrent(&context_), "reading the current CUDA context");
    return read_partition();
  }
  driver_.check(driver_.cuDevicePrimaryCtxRetain(&context_, device_), "retaining the primary context of " + label());
  try {
    const Current current(driver_, context_);
    if (part) part_ = std::make_unique<GreenPart>(driver_, device_, label(), *part);
  } catch (...) {
    driver_.cuDevicePrimaryCtxRelease_v2(device_);
    throw;
  }
  retained_ = true;
  read_partition();
}

// A part is a device of its own in the tuning database, with winners of its own. Drivers before CUDA 12.4 have no green
// contexts, and their contexts all of the device.
void CudaDevice::read_partition() {
  int multiprocessors = limits_.multiprocessors;
  DeviceResource resource;
  if (part_) {
    multiprocessors = part_->part().multiprocessors;
  } else if (driver_.cuCtxGetDevResource != nullptr &&
             driver_.cuCtxGetDevResource(context_, &resource, multiprocessor_resource) == CUDA_SUCCESS &&
             resource.multiprocessors > 0) {
    multiprocessors = std::min(multiprocessors, static_cast<int>(resource.multiprocessors));
  }
  limits_ = limits_of_part(limits_, multiprocessors);
  identity_.multiprocessors = multiprocessors;
}

std::string CudaDevice::label() const {
  std::string label = "cuda:" + std::to_string(ordinal_);
  if (part_) return label + to_string(part_->part());
  // The context of the caller is a green one.
  if (limits_.multiprocessors < all_multiprocessors_)
    label += to_string(Part{.multiprocessors = limits_.multiprocessors});
  return label;
}

PartSizes CudaDevice::part_sizes() const {
  return runtime::part_sizes(driver_, device_, "cuda:" + std::to_string(ordinal_));
}

CUstream CudaDevice::queue(Stream stream) const {
  return part_ && is_legacy(stream_of(stream)) ? part_->default_stream() : stream_of(stream);
}

Stream CudaDevice::default_stream() const {
  return queue(nullptr);
}

// At most as many as the device itself has: workspaces are made for these.
int CudaDevice::multiprocessors_of(Stream stream) const {
  const int own = limits_.multiprocessors;
  if (is_legacy(stream_of(stream)) || driver_.cuStreamGetGreenCtx == nullptr) return own;
  const Current current(driver_, context_);
  const std::lock_guard lock(green_mutex_);
  GreenContext green = nullptr;
  DeviceResource resource;
  if (driver_.cuStreamGetGreenCtx(stream_of(stream), &green) != CUDA_SUCCESS || green == nullptr) return own;
  if (driver_.cuGreenCtxGetDevResource(green, &resource, multiprocessor_resource) != CUDA_SUCCESS ||
      resource.multiprocessors == 0) {
    return own;
  }
  return std::min(own, static_cast<int>(resource.multiprocessors));
}

}  // namespace upsweep::runtime
