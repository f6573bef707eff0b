// Whether kernels can use an address, before a launch that would end the CUDA context if they cannot.
#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/scopes.hpp"

namespace upsweep::runtime {

void CudaDevice::check_pointer(const void* pointer, const char* what) const {
  const Current current(driver_, context_);
  const auto address = reinterpret_cast<CUdeviceptr>(pointer);
  // Answered for memory of this device, of another one whose memory this one may use, managed, and pinned on the host.
  CUdeviceptr usable = 0;
  if (driver_.cuPointerGetAttribute(&usable, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address) == CUDA_SUCCESS &&
      usable == address) {
    return;
  }
  int owner = -1;
  unsigned type = 0;
  const bool known =
      driver_.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS &&
      driver_.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) == CUDA_SUCCESS;
  if (known && type == CU_MEMORYTYPE_DEVICE) {
    throw UsageError(fmt::format(
        "'{0}' ({1}) is memory of cuda:{2}, which {3} cannot use: copy the data to {3}, use a context of cuda:{2}, or "
        "allow access (cudaDeviceEnablePeerAccess)",
        what, pointer, owner, label()));
  }
  if (!known && attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0) return;  // any memory of the process
  throw UsageError(
      fmt::format("'{}' ({}) is an address of the host, which kernels on {} cannot use: copy the data to the device "
                  "first (cudaMemcpy)",
                  what, pointer, label()));
}

}  // namespace upsweep::runtime
