#include "tests/runtime/cuda/fake_libcuda.hpp"
#include "tests/runtime/cuda/fake_call.hpp"

#include <cstdlib>
#include <cstring>

// cuda.h maps these names to newer versions of the functions than those that upsweep loads.
#undef cuStreamGetCaptureInfo
#undef cuEventElapsedTime

namespace {

thread_local std::vector<CUcontext> stack;
thread_local CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

void* pointer(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace

extern "C" {

FakeCuda* fake_cuda() {
  static FakeCuda fake;
  return &fake;
}
std::vector<CUcontext>* fake_cuda_stack() {
  return &stack;
}
CUstreamCaptureMode* fake_cuda_mode() {
  return &mode;
}

CUresult cuInit(unsigned) {
  ENTER(nothing)
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  ENTER(nothing)
  *version = state().version;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = nullptr;
  if (static_cast<int>(error) >= 10'000) return CUDA_ERROR_INVALID_VALUE;  // not known to this driver
  *text = error == CUDA_ERROR_OUT_OF_MEMORY          ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == CUDA_ERROR_ILLEGAL_ADDRESS      ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == CUDA_ERROR_INVALID_CLUSTER_SIZE ? "CUDA_ERROR_INVALID_CLUSTER_SIZE"
                                                     : "CUDA_ERROR_FAKE";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = nullptr;
  if (static_cast<int>(error) >= 10'000) return CUDA_ERROR_INVALID_VALUE;
  *text = "a description";
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  ENTER(nothing)
  *count = state().devices;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  ENTER(nothing)
  if (ordinal < 0 || ordinal >= state().devices) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  ENTER(nothing)
  std::strncpy(name, device == 0 ? "Fake GPU" : "Other GPU", static_cast<std::size_t>(length));
  return CUDA_SUCCESS;
}
// 1000 more than the attribute's number, so that a mix-up shows; capability 9.0, and ECC on device 0 only.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  ENTER(nothing)
  if (const auto at = state().attributes.find(attribute); at != state().attributes.end()) {
    *value = at->second;
    return CUDA_SUCCESS;
  }
  *value = 1000 + static_cast<int>(attribute);
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) *value = 9;
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) *value = 0;
  if (attribute == CU_DEVICE_ATTRIBUTE_ECC_ENABLED) *value = device == 0 ? 1 : 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  ENTER(nothing)
  std::strncpy(id, device == 0 ? "0000:0A:00.0" : "0000:0B:00.0", static_cast<std::size_t>(length));
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) {
  ENTER(nothing)
  *bytes = std::size_t{80} << 30;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  ENTER(nothing)
  ++state().retained[device];
  *context = reinterpret_cast<CUcontext>(&state().primary[device]);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER(nothing)
  --state().retained[device];
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  ENTER(nothing)
  *flags = 0;
  *active = state().retained[device] > 0 ? 1 : 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  ENTER(nothing)
  *context = stack.empty() ? nullptr : stack.back();
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER(nothing)
  stack.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  ENTER(nothing)
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack.back();
  stack.pop_back();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  ENTER(nothing)
  if (!stack.empty()) stack.pop_back();
  if (context != nullptr) stack.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  ENTER(context)
  *device = reinterpret_cast<FakeContext*>(stack.back())->device;
  return CUDA_SUCCESS;
}

// An image is good if it begins with "good"; what follows the blank is the name of its one function.
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  ENTER_UNSAFE()
  if (std::strncmp(static_cast<const char*>(image), "good ", 5) != 0) return CUDA_ERROR_INVALID_IMAGE;
  *module = new_handle<CUmodule>();
  state().modules[*module] = static_cast<const char*>(image) + 5;
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
  return cuModuleLoadData(module, image);
}
CUresult cuModuleUnload(CUmodule module) {
  ENTER_UNSAFE()
  return state().modules.erase(module) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  ENTER(context)
  if (state().modules.at(module) != name) return CUDA_ERROR_NOT_FOUND;
  *function = reinterpret_cast<CUfunction>(module);
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  ENTER(context)
  *value = 100 + static_cast<int>(attribute);
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute attribute, int value) {
  ENTER(context)
  state().function_attributes.emplace_back(attribute, value);
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int threads, std::size_t shared_bytes) {
  ENTER(context)
  *blocks = 2048 / threads - (shared_bytes > 1000 ? 1 : 0);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared_bytes, CUstream stream, void** arguments, void**) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (gx == 0) return CUDA_ERROR_INVALID_VALUE;
  fake_capture_launch(stream);
  if (!state().recording) return CUDA_SUCCESS;
  FakeLaunch launch;
  launch = {function, {gx, gy, gz}, {bx, by, bz}, shared_bytes, stream, *static_cast<int*>(arguments[0])};
  state().launches.push_back(launch);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
  ENTER(context)
  FakeLaunch launch{.extended = true};
  const CUresult unfit = fake_read_attributes(state(), *config, launch);
  if (unfit != CUDA_SUCCESS) return unfit;
  --state().entered;  // what follows is part of this call
  const CUresult launched =
      cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                     config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream, arguments, extra);
  if (launched != CUDA_SUCCESS || !state().recording) return launched;
  FakeLaunch& recorded = state().launches.back();
  recorded.extended = true;
  recorded.cluster_blocks = launch.cluster_blocks;
  recorded.cooperative = launch.cooperative;
  recorded.dependent = launch.dependent;
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(std::size_t* available, std::size_t* total) {
  ENTER(context)
  *available = state().free_bytes;
  *total = std::size_t{80} << 30;
  return CUDA_SUCCESS;
}
// Memory comes with a pattern in it: nothing is zero by luck.
CUresult cuMemAlloc_v2(CUdeviceptr* memory, std::size_t bytes) {
  ENTER_UNSAFE()
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > state().free_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  void* const block = std::malloc(bytes);
  std::memset(block, 0xcd, bytes);
  state().memory[block] = bytes;
  *memory = reinterpret_cast<CUdeviceptr>(block);
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr memory) {
  ENTER_UNSAFE()
  if (state().memory.erase(pointer(memory)) == 0) return CUDA_ERROR_INVALID_VALUE;
  std::free(pointer(memory));
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  std::memcpy(pointer(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  std::memcpy(to, pointer(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  std::memmove(pointer(to), pointer(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr memory, unsigned char byte, std::size_t bytes, CUstream stream) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  std::memset(pointer(memory), byte, bytes);
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  ENTER(context)
  *stream = new_handle<CUstream>();
  state().streams[*stream] = flags;
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  ENTER(context)
  return state().streams.erase(stream) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuStreamSynchronize(CUstream stream) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (state().captures.count(stream) != 0) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  state().synchronized.push_back(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (state().captures.count(stream) != 0 && state().invalidated.count(stream) == 0) {
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;  // as driver 580 answers
  }
  const auto at = state().ids.find(stream);
  *id = at != state().ids.end() ? at->second : reinterpret_cast<unsigned long long>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  ENTER(context)
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (stream == nullptr && state().legacy_implicit) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  const auto at = state().captures.find(stream);
  *status = state().invalidated.count(stream) != 0 ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
            : at != state().captures.end()         ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                                   : CU_STREAM_CAPTURE_STATUS_NONE;
  if (id != nullptr) *id = at != state().captures.end() ? at->second : 0xdead;  // undefined unless active
  return CUDA_SUCCESS;
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* other) {
  ENTER(nothing)
  std::swap(*other, mode);
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  ENTER(context)
  *memory = ::operator new(bytes);
  state().memory[*memory] = bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* memory, unsigned) {
  ENTER(context)
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void* memory) {
  ENTER(context)
  if (state().memory.erase(memory) == 0) return CUDA_ERROR_INVALID_VALUE;
  ::operator delete(memory);
  return CUDA_SUCCESS;
}
CUresult cuStreamWaitValue32_v2(CUstream, CUdeviceptr address, cuuint32_t, unsigned) {
  ENTER(context)
  state().awaited = reinterpret_cast<const std::uint32_t*>(address);
  state().held.push_back(*state().awaited);
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned) {
  ENTER(context)
  *event = new_handle<CUevent>();
  state().events.insert(*event);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  ENTER(context)
  return state().events.erase(event) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuEventRecord(CUevent, CUstream stream) {
  ENTER(context)
  return is_stream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuEventSynchronize(CUevent) {
  ENTER(context)
  return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent stop) {
  ENTER(context)
  *milliseconds = start < stop ? 0.25f : -1.0f;
  return CUDA_SUCCESS;
}

}  // extern "C"
