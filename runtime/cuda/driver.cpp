#include "runtime/cuda/driver.hpp"

#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "runtime/device.hpp"

namespace upsweep::runtime {
namespace {

std::vector<std::string> candidates() {
  if (const auto path = base::environment("UPSWEEP_LIBCUDA")) return {*path};
  return {"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"};
}

template <typename Function>
void bind(const Driver& table, Function& function, const char* symbol) {
  function = reinterpret_cast<Function>(table.library->symbol(symbol));
  if (function == nullptr) {
    throw DeviceError(
        fmt::format("{} has no function {}: the NVIDIA driver is too old; install a driver for CUDA 12.0 or newer",
                    table.library->name(), symbol));
  }
}

#define BIND(name) bind(table, table.name, #name)

void bind_devices_and_kernels(Driver& table) {
  BIND(cuInit);
  BIND(cuDriverGetVersion);
  BIND(cuGetErrorName);
  BIND(cuGetErrorString);
  BIND(cuDeviceGetCount);
  BIND(cuDeviceGet);
  BIND(cuDeviceGetName);
  BIND(cuDeviceGetAttribute);
  BIND(cuDeviceGetPCIBusId);
  BIND(cuDeviceTotalMem_v2);
  BIND(cuPointerGetAttribute);
  BIND(cuDevicePrimaryCtxRetain);
  BIND(cuDevicePrimaryCtxRelease_v2);
  BIND(cuCtxGetCurrent);
  BIND(cuCtxGetDevice);
  BIND(cuCtxPushCurrent_v2);
  BIND(cuCtxPopCurrent_v2);
  BIND(cuModuleLoadData);
  BIND(cuModuleUnload);
  BIND(cuModuleGetFunction);
  BIND(cuFuncGetAttribute);
  BIND(cuFuncSetAttribute);
  BIND(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  BIND(cuLaunchKernel);
  BIND(cuLaunchKernelEx);
}

void bind_memory_and_streams(Driver& table) {
  BIND(cuMemAlloc_v2);
  BIND(cuMemFree_v2);
  BIND(cuMemGetInfo_v2);
  BIND(cuMemHostAlloc);
  BIND(cuMemHostGetDevicePointer_v2);
  BIND(cuMemFreeHost);
  BIND(cuMemcpyHtoDAsync_v2);
  BIND(cuMemcpyDtoHAsync_v2);
  BIND(cuMemcpyDtoDAsync_v2);
  BIND(cuMemsetD8Async);
  BIND(cuStreamCreate);
  BIND(cuStreamDestroy_v2);
  BIND(cuStreamSynchronize);
  BIND(cuStreamWaitValue32_v2);
  BIND(cuStreamGetId);
}

void bind_graphs_and_events(Driver& table) {
  BIND(cuStreamGetCaptureInfo);
  BIND(cuStreamGetCaptureInfo_v2);
  BIND(cuGraphNodeGetDependencies);
  BIND(cuUserObjectCreate);
  BIND(cuUserObjectRelease);
  BIND(cuGraphRetainUserObject);
  BIND(cuThreadExchangeStreamCaptureMode);
  BIND(cuStreamBeginCapture_v2);
  BIND(cuStreamEndCapture);
  BIND(cuGraphInstantiateWithFlags);
  BIND(cuGraphUpload);
  BIND(cuGraphLaunch);
  BIND(cuGraphExecDestroy);
  BIND(cuGraphDestroy);
  BIND(cuEventCreate);
  BIND(cuEventRecord);
  BIND(cuEventSynchronize);
  BIND(cuEventElapsedTime);
  BIND(cuEventDestroy_v2);
}

#undef BIND

void bind_newer(Driver& table) {
#define BIND_NEWER(name) table.name = reinterpret_cast<decltype(table.name)>(table.library->symbol(#name))
  BIND_NEWER(cuStreamGetCaptureInfo_v3);
  BIND_NEWER(cuGraphNodeGetDependencies_v2);
  BIND_NEWER(cuDeviceGetDevResource);
  BIND_NEWER(cuDevSmResourceSplitByCount);
  BIND_NEWER(cuDevResourceGenerateDesc);
  BIND_NEWER(cuGreenCtxCreate);
  BIND_NEWER(cuGreenCtxDestroy);
  BIND_NEWER(cuGreenCtxStreamCreate);
  BIND_NEWER(cuCtxGetDevResource);
  BIND_NEWER(cuGreenCtxGetDevResource);
  BIND_NEWER(cuStreamGetGreenCtx);
#undef BIND_NEWER
}

const char* advice(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "free device memory or use fewer items";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE:
      return "the binary is for another GPU or damaged: clear the cache (upsweep cache clear)";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
      return "check that the pointers are device pointers to enough items; restart the process, because its CUDA "
             "context is lost";
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
    case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
    case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
      return "call prepare() before the capture begins";
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
      return "the device cannot run clusters of this size: use a config with a smaller cluster_blocks";
    case CUDA_ERROR_NO_DEVICE:
      return "no GPU is visible: see nvidia-smi and CUDA_VISIBLE_DEVICES, or use the device 'host'";
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return "keep the CUDA context alive for as long as the upsweep context";
    default:
      return "run `upsweep doctor`";
  }
}

// After these "the process must be terminated and relaunched" (CUDA driver API, CUresult).
bool is_sticky(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
      return true;
    default:
      return false;
  }
}

Driver load() {
  Driver table{};
  std::string reason;
  table.library = DynamicLibrary::open(candidates(), reason);
  if (!table.library) {
    if (const auto path = base::environment("UPSWEEP_LIBCUDA")) {
      throw NoGpu(
          fmt::format("the CUDA driver library cannot be loaded from '{}', the value of UPSWEEP_LIBCUDA: set "
                      "UPSWEEP_LIBCUDA to the path of libcuda.so.1, unset it, or use the device 'host'",
                      *path));
    }
    throw NoGpu(fmt::format(
        "the CUDA driver library was not found ({}): install the NVIDIA driver, or use the device 'host'", reason));
  }
  bind_devices_and_kernels(table);
  bind_memory_and_streams(table);
  bind_graphs_and_events(table);
  bind_newer(table);
  table.check(table.cuInit(0), "starting the CUDA driver");
  return table;
}

}  // namespace

void Driver::fail(CUresult result, std::string_view what) const {
  // Of an error that it does not know, a driver says nothing at all.
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  const std::string number = fmt::format("CUDA error {}", static_cast<int>(result));
  const std::string message = fmt::format("{} failed: {} ({}): {}", what, name != nullptr ? name : number,
                                          text != nullptr ? text : "not known to this driver", advice(result));
  if (result == CUDA_ERROR_NO_DEVICE) throw NoGpu(message);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfDeviceMemory(message);
  if (is_sticky(result)) throw DeviceRuined(message);
  throw DeviceError(message);
}

std::string what_is_wrong_with_the_driver() {
  try {
    int count = 0;
    driver().check(driver().cuDeviceGetCount(&count), "counting GPUs");
    return {};
  } catch (const NoGpu&) {
    return {};
  } catch (const DeviceError& error) {
    return error.what();
  }
}

const Driver& driver() {
  static std::mutex mutex;
  // Never destroyed: kernels and memory of static objects are released through it at exit.
  static auto& loaded = *new std::optional<Driver>;
  const std::lock_guard lock(mutex);
  if (!loaded) loaded = load();
  return *loaded;
}

}  // namespace upsweep::runtime
