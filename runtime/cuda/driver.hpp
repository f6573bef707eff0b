// The CUDA driver API, loaded at run time: machines without a GPU have no libcuda, and nothing links to it.
#pragma once

#include <memory>
#include <string_view>

#include <cuda.h>
#include <upsweep/error.hpp>

#include "runtime/cuda/dynamic_library.hpp"

// cuda.h maps these names to newer versions; the table holds the symbols of these very names.
#undef cuStreamGetCaptureInfo
#undef cuStreamGetCaptureInfo_v2
#undef cuGraphNodeGetDependencies
#undef cuEventElapsedTime

namespace upsweep::runtime {

// CUdevResource, CUdevResourceDesc and CUgreenCtx of cuda.h from CUDA 12.4 on, which older headers lack.
struct alignas(8) DeviceResource {
  int type = 0;
  unsigned char reserved[92] = {};
  // Of type `multiprocessor_resource`:
  unsigned multiprocessors = 0;
  unsigned least = 0;  // of a part; from CUDA 13.0 on, 0 before
  unsigned step = 0;   // of which the size of a part is a multiple; likewise
  unsigned char more[36] = {};
};
static_assert(sizeof(DeviceResource) == 144, "as CUdevResource, of which the driver fills arrays");
constexpr int multiprocessor_resource = 1;      // CU_DEV_RESOURCE_TYPE_SM
constexpr unsigned green_default_stream = 0x1;  // CU_GREEN_CTX_DEFAULT_STREAM, which is required
using DeviceResourceDescription = struct CUdevResourceDesc_st*;
using GreenContext = struct CUgreenCtx_st*;

// There is no driver, or it finds no GPU: nothing is broken.
struct NoGpu : DeviceError {
  using DeviceError::DeviceError;
};

// The functions that upsweep calls, by the names under which libcuda exports them (CUDA 12.0 and newer).
struct Driver {
  CUresult (*cuInit)(unsigned int);
  CUresult (*cuDriverGetVersion)(int*);
  CUresult (*cuGetErrorName)(CUresult, const char**);
  CUresult (*cuGetErrorString)(CUresult, const char**);
  CUresult (*cuDeviceGetCount)(int*);
  CUresult (*cuDeviceGet)(CUdevice*, int);
  CUresult (*cuDeviceGetName)(char*, int, CUdevice);
  CUresult (*cuDeviceGetAttribute)(int*, CUdevice_attribute, CUdevice);
  CUresult (*cuDeviceGetPCIBusId)(char*, int, CUdevice);
  CUresult (*cuDeviceTotalMem_v2)(size_t*, CUdevice);
  CUresult (*cuPointerGetAttribute)(void*, CUpointer_attribute, CUdeviceptr);
  CUresult (*cuDevicePrimaryCtxRetain)(CUcontext*, CUdevice);
  CUresult (*cuDevicePrimaryCtxRelease_v2)(CUdevice);
  CUresult (*cuCtxGetCurrent)(CUcontext*);
  CUresult (*cuCtxGetDevice)(CUdevice*);
  CUresult (*cuCtxPushCurrent_v2)(CUcontext);
  CUresult (*cuCtxPopCurrent_v2)(CUcontext*);
  CUresult (*cuModuleLoadData)(CUmodule*, const void*);
  CUresult (*cuModuleUnload)(CUmodule);
  CUresult (*cuModuleGetFunction)(CUfunction*, CUmodule, const char*);
  CUresult (*cuFuncGetAttribute)(int*, CUfunction_attribute, CUfunction);
  CUresult (*cuFuncSetAttribute)(CUfunction, CUfunction_attribute, int);
  CUresult (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int*, CUfunction, int, size_t);
  CUresult (*cuLaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                             void**, void**);
  CUresult (*cuLaunchKernelEx)(const CUlaunchConfig*, CUfunction, void**, void**);
  CUresult (*cuMemAlloc_v2)(CUdeviceptr*, size_t);
  CUresult (*cuMemFree_v2)(CUdeviceptr);
  CUresult (*cuMemGetInfo_v2)(size_t*, size_t*);
  CUresult (*cuMemHostAlloc)(void**, size_t, unsigned int);
  CUresult (*cuMemHostGetDevicePointer_v2)(CUdeviceptr*, void*, unsigned int);
  CUresult (*cuMemFreeHost)(void*);
  CUresult (*cuMemcpyHtoDAsync_v2)(CUdeviceptr, const void*, size_t, CUstream);
  CUresult (*cuMemcpyDtoHAsync_v2)(void*, CUdeviceptr, size_t, CUstream);
  CUresult (*cuMemcpyDtoDAsync_v2)(CUdeviceptr, CUdeviceptr, size_t, CUstream);
  CUresult (*cuMemsetD8Async)(CUdeviceptr, unsigned char, size_t, CUstream);
  CUresult (*cuStreamCreate)(CUstream*, unsigned int);
  CUresult (*cuStreamDestroy_v2)(CUstream);
  CUresult (*cuStreamSynchronize)(CUstream);
  CUresult (*cuStreamWaitValue32_v2)(CUstream, CUdeviceptr, cuuint32_t, unsigned int);
  CUresult (*cuStreamGetId)(CUstream, unsigned long long*);
  CUresult (*cuStreamGetCaptureInfo)(CUstream, CUstreamCaptureStatus*, cuuint64_t*);
  CUresult (*cuStreamGetCaptureInfo_v2)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**,
                                        size_t*);
  CUresult (*cuGraphNodeGetDependencies)(CUgraphNode, CUgraphNode*, size_t*);
  CUresult (*cuUserObjectCreate)(CUuserObject*, void*, CUhostFn, unsigned, unsigned);
  CUresult (*cuUserObjectRelease)(CUuserObject, unsigned);
  CUresult (*cuGraphRetainUserObject)(CUgraph, CUuserObject, unsigned, unsigned);
  CUresult (*cuThreadExchangeStreamCaptureMode)(CUstreamCaptureMode*);
  CUresult (*cuStreamBeginCapture_v2)(CUstream, CUstreamCaptureMode);
  CUresult (*cuStreamEndCapture)(CUstream, CUgraph*);
  CUresult (*cuGraphInstantiateWithFlags)(CUgraphExec*, CUgraph, unsigned long long);
  CUresult (*cuGraphUpload)(CUgraphExec, CUstream);
  CUresult (*cuGraphLaunch)(CUgraphExec, CUstream);
  CUresult (*cuGraphExecDestroy)(CUgraphExec);
  CUresult (*cuGraphDestroy)(CUgraph);
  CUresult (*cuEventCreate)(CUevent*, unsigned int);
  CUresult (*cuEventRecord)(CUevent, CUstream);
  CUresult (*cuEventSynchronize)(CUevent);
  CUresult (*cuEventElapsedTime)(float*, CUevent, CUevent);
  CUresult (*cuEventDestroy_v2)(CUevent);

  // Of newer drivers; null before. CUDA 12.3: the same with what graphs' edges carry, which is not looked at.
  CUresult (*cuStreamGetCaptureInfo_v3)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**,
                                        const void**, size_t*);
  CUresult (*cuGraphNodeGetDependencies_v2)(CUgraphNode, CUgraphNode*, void*, size_t*);
  // CUDA 12.4: green contexts.
  CUresult (*cuDeviceGetDevResource)(CUdevice, DeviceResource*, int);
  CUresult (*cuDevSmResourceSplitByCount)(DeviceResource*, unsigned*, const DeviceResource*, DeviceResource*, unsigned,
                                          unsigned);
  CUresult (*cuDevResourceGenerateDesc)(DeviceResourceDescription*, DeviceResource*, unsigned);
  CUresult (*cuGreenCtxCreate)(GreenContext*, DeviceResourceDescription, CUdevice, unsigned);
  CUresult (*cuGreenCtxDestroy)(GreenContext);
  CUresult (*cuGreenCtxStreamCreate)(CUstream*, GreenContext, unsigned, int);
  CUresult (*cuCtxGetDevResource)(CUcontext, DeviceResource*, int);
  CUresult (*cuGreenCtxGetDevResource)(GreenContext, DeviceResource*, int);
  CUresult (*cuStreamGetGreenCtx)(CUstream, GreenContext*);

  std::shared_ptr<DynamicLibrary> library;

  // Throws DeviceError for anything but success: what failed, the driver's name for it, and what to do.
  void check(CUresult result, std::string_view what) const {
    if (result != CUDA_SUCCESS) fail(result, what);
  }

 private:
  [[noreturn]] void fail(CUresult result, std::string_view what) const;
};

// The driver, initialised, from $UPSWEEP_LIBCUDA or where the system's loader finds it. Throws DeviceError, NoGpu among
// them, that says what was not found, where it was looked for and what to install. Success is remembered for the
// process.
[[nodiscard]] const Driver& driver();

// Why the driver that is there cannot be used; empty if it can, or if there is no driver or no GPU.
[[nodiscard]] std::string what_is_wrong_with_the_driver();

}  // namespace upsweep::runtime
