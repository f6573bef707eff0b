// Captures and graphs of the stand-in for libcuda.
#include "tests/runtime/cuda/fake_call.hpp"

extern "C" {

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
  ENTER(context)
  if (!is_stream(stream) || stream == nullptr || state().captures.count(stream) != 0) {
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  state().captures[stream] = ++state().next_handle;
  return CUDA_SUCCESS;
}
// Ends the capture even where a test asks for its failure, as the driver does.
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  const Call call(__func__, Needs::context);
  *graph = nullptr;
  if (state().captures.erase(stream) == 0) return CUDA_ERROR_ILLEGAL_STATE;
  if (call.fails()) return call.result();
  *graph = new_handle<CUgraph>();
  state().graphs.insert(*graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  ENTER(context)
  if (state().graphs.count(graph) == 0) return CUDA_ERROR_INVALID_HANDLE;
  *executable = new_handle<CUgraphExec>();
  state().executables.insert(*executable);
  return CUDA_SUCCESS;
}
CUresult cuGraphUpload(CUgraphExec executable, CUstream) {
  ENTER(context)
  ++state().uploads[executable];
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  ENTER(context)
  if (state().executables.count(executable) == 0 || !is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  ++state().replays[executable];
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  ENTER(context)
  return state().executables.erase(executable) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuGraphDestroy(CUgraph graph) {
  ENTER(context)
  return state().graphs.erase(graph) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

}  // extern "C"
