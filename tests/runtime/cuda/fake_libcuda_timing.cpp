// The part of the fake driver that timing uses: host memory, waiting on a word of it, and events.
#include "tests/runtime/cuda/fake_call.hpp"
#include "tests/runtime/cuda/fake_libcuda.hpp"

#undef cuEventElapsedTime  // cuda.h maps the name to a newer version of the function than the one that upsweep loads

extern "C" {

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
