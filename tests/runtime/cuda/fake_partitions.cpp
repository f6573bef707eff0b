// Addresses, and parts of devices, of the stand-in for libcuda.
#include "runtime/cuda/driver.hpp"
#include "tests/runtime/cuda/fake_call.hpp"

using upsweep::runtime::DeviceResource;
using upsweep::runtime::GreenContext;

extern "C" {

// Any address within what was allocated. Pinned memory counts as the device's own.
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  ENTER(context)
  const auto* const pointer = reinterpret_cast<const char*>(address);
  const auto other = state().elsewhere.find(pointer);
  const bool elsewhere = other != state().elsewhere.end();
  bool known = elsewhere;
  for (const auto& [block, bytes] : state().memory) {
    known = known || (pointer >= static_cast<char*>(block) && pointer < static_cast<char*>(block) + bytes);
  }
  if (!known) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      if (elsewhere) return CUDA_ERROR_INVALID_VALUE;
      *static_cast<CUdeviceptr*>(data) = address;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(data) = CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(data) = elsewhere ? other->second : 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

CUresult fake_context_resource(CUcontext, DeviceResource* resource, int type) EXPORTED_AS(cuCtxGetDevResource);
CUresult fake_stream_green_context(CUstream stream, GreenContext* context) EXPORTED_AS(cuStreamGetGreenCtx);
CUresult fake_green_context_resource(GreenContext context, DeviceResource* resource, int type)
    EXPORTED_AS(cuGreenCtxGetDevResource);

CUresult fake_context_resource(CUcontext, DeviceResource* resource, int type) {
  ENTER(nothing)
  if (type != upsweep::runtime::multiprocessor_resource) return CUDA_ERROR_INVALID_VALUE;
  resource->type = type;
  resource->multiprocessors = state().context_multiprocessors;
  return CUDA_SUCCESS;
}
// A green context is known by a stream of it.
CUresult fake_stream_green_context(CUstream stream, GreenContext* context) {
  const Call call("cuStreamGetGreenCtx", Needs::context);
  if (call.fails()) return call.result();
  *context = state().green_multiprocessors.count(stream) != 0 ? reinterpret_cast<GreenContext>(stream) : nullptr;
  return CUDA_SUCCESS;
}
CUresult fake_green_context_resource(GreenContext context, DeviceResource* resource, int type) {
  ENTER(context)
  resource->type = type;
  resource->multiprocessors = state().green_multiprocessors.at(reinterpret_cast<CUstream>(context));
  return CUDA_SUCCESS;
}

}  // extern "C"
