// Green contexts of the stand-in for libcuda: parts of a device, in groups of one size.
#include <algorithm>

#include "runtime/cuda/driver.hpp"
#include "tests/runtime/cuda/fake_call.hpp"

using upsweep::runtime::DeviceResource;
using upsweep::runtime::DeviceResourceDescription;
using upsweep::runtime::GreenContext;

namespace {

FakeParts& parts() {
  return state().parts;
}
// The number of a part among those of its size stands in what the driver keeps to itself.
unsigned char& number_of_part(DeviceResource& resource) {
  return resource.reserved[0];
}

}  // namespace

extern "C" {

CUresult fake_device_resource(CUdevice device, DeviceResource* resource, int type) EXPORTED_AS(cuDeviceGetDevResource);
CUresult fake_split(DeviceResource* result, unsigned* count, const DeviceResource* input, DeviceResource* rest,
                    unsigned flags, unsigned least) EXPORTED_AS(cuDevSmResourceSplitByCount);
CUresult fake_describe(DeviceResourceDescription* description, DeviceResource* resources, unsigned count)
    EXPORTED_AS(cuDevResourceGenerateDesc);
CUresult fake_create_context(GreenContext* context, DeviceResourceDescription description, CUdevice device,
                             unsigned flags) EXPORTED_AS(cuGreenCtxCreate);
CUresult fake_destroy_context(GreenContext context) EXPORTED_AS(cuGreenCtxDestroy);
CUresult fake_create_stream(CUstream* stream, GreenContext context, unsigned flags, int priority)
    EXPORTED_AS(cuGreenCtxStreamCreate);

CUresult fake_device_resource(CUdevice device, DeviceResource* resource, int type) {
  const Call call("cuDeviceGetDevResource", Needs::nothing);
  if (call.fails()) return call.result();
  int all = 0;
  cuDeviceGetAttribute(&all, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  resource->type = type;
  resource->multiprocessors = static_cast<unsigned>(all);
  resource->least = parts().tells_steps ? parts().least : 0;
  resource->step = parts().tells_steps ? parts().step : 0;
  return CUDA_SUCCESS;
}
// Rounds the size up, as drivers do.
CUresult fake_split(DeviceResource* result, unsigned* count, const DeviceResource* input, DeviceResource*,
                    unsigned flags, unsigned least) {
  const Call call("cuDevSmResourceSplitByCount", Needs::nothing);
  if (call.fails()) return call.result();
  if (flags != 0 || least > input->multiprocessors) return CUDA_ERROR_INVALID_VALUE;
  const unsigned step = parts().step;
  const unsigned size = std::max((least + step - 1) / step * step, parts().least);
  if (size > parts().most) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  const unsigned groups = input->multiprocessors / size;
  *count = result == nullptr ? groups : std::min(*count, groups);
  for (unsigned i = 0; result != nullptr && i < *count; ++i) {
    result[i] = *input;
    result[i].multiprocessors = size;
    number_of_part(result[i]) = static_cast<unsigned char>(i);
  }
  return CUDA_SUCCESS;
}
CUresult fake_describe(DeviceResourceDescription* description, DeviceResource* resources, unsigned count) {
  const Call call("cuDevResourceGenerateDesc", Needs::nothing);
  if (call.fails()) return call.result();
  if (count != 1) return CUDA_ERROR_INVALID_VALUE;
  *description = new_handle<DeviceResourceDescription>();
  parts().descriptions[*description] = {.multiprocessors = resources->multiprocessors,
                                        .number = number_of_part(*resources)};
  return CUDA_SUCCESS;
}
CUresult fake_create_context(GreenContext* context, DeviceResourceDescription description, CUdevice device,
                             unsigned flags) {
  const Call call("cuGreenCtxCreate", Needs::nothing);
  if (call.fails()) return call.result();
  if (flags != upsweep::runtime::green_default_stream) return CUDA_ERROR_INVALID_VALUE;
  ++state().retained[device];
  *context = new_handle<GreenContext>();
  parts().contexts[*context] = parts().descriptions.at(description);
  parts().contexts[*context].device = device;
  return CUDA_SUCCESS;
}
// Streams that are left could never be destroyed (CUDA driver API, cuGreenCtxDestroy).
CUresult fake_destroy_context(GreenContext context) {
  const Call call("cuGreenCtxDestroy", Needs::nothing);
  if (call.fails()) return call.result();
  const auto at = parts().contexts.find(context);
  if (at == parts().contexts.end()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  for (const auto& [stream, owner] : parts().streams) {
    if (owner == context && state().streams.count(stream) != 0) return CUDA_ERROR_UNKNOWN;
  }
  --state().retained[at->second.device];
  parts().contexts.erase(at);
  return CUDA_SUCCESS;
}
CUresult fake_create_stream(CUstream* stream, GreenContext context, unsigned flags, int) {
  const Call call("cuGreenCtxStreamCreate", Needs::nothing);
  if (call.fails()) return call.result();
  if (flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  const auto at = parts().contexts.find(context);
  if (at == parts().contexts.end()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *stream = new_handle<CUstream>();
  state().streams[*stream] = flags;
  state().green_multiprocessors[*stream] = at->second.multiprocessors;
  parts().streams[*stream] = context;
  return CUDA_SUCCESS;
}

}  // extern "C"
