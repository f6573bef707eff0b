// Captures and graphs of the stand-in for libcuda.
#include <algorithm>
#include <utility>
#include <vector>

#include "tests/runtime/cuda/fake_call.hpp"

// cuda.h maps these names to newer versions of the functions than those that upsweep loads.
#undef cuStreamGetCaptureInfo
#undef cuStreamGetCaptureInfo_v2
#undef cuGraphNodeGetDependencies

namespace {

CUgraph graph_of(cuuint64_t capture) {
  CUgraph& graph = state().capture_graphs[capture];
  if (graph == nullptr) graph = new_handle<CUgraph>();
  return graph;
}

void let_go(CUuserObject object) {
  FakeUserObject& held = state().user_objects.at(object);
  if (--held.references > 0) return;
  const FakeUserObject last = held;
  state().user_objects.erase(object);
  last.destroy(last.data);
}

void let_go_of_all(const void* holder) {
  const std::vector<CUuserObject> held = std::exchange(state().holds[holder], {});
  state().holds.erase(holder);
  for (CUuserObject object : held) let_go(object);
}

}  // namespace

void fake_capture_launch(CUstream stream) {
  if (state().captures.count(stream) == 0) return;
  const auto node = new_handle<CUgraphNode>();
  state().dependencies[node] = std::exchange(state().next_depends_on[stream], {node});
}

extern "C" {

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id);

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** nodes, std::size_t* count) {
  const Call call(__func__, Needs::context);
  if (call.fails()) return call.result();
  --state().entered;  // what follows is part of this call
  const CUresult result = cuStreamGetCaptureInfo(stream, status, id);
  if (result != CUDA_SUCCESS || *status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return result;
  *graph = graph_of(*id);
  *nodes = state().next_depends_on[stream].data();
  *count = state().next_depends_on[stream].size();
  return CUDA_SUCCESS;
}
CUresult fake_capture_info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                           const CUgraphNode** nodes, const void** edges, std::size_t* count)
    EXPORTED_AS(cuStreamGetCaptureInfo_v3);
CUresult fake_capture_info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                           const CUgraphNode** nodes, const void** edges, std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}
CUresult fake_dependencies(CUgraphNode node, CUgraphNode* nodes, std::size_t* count)
    EXPORTED_AS(cuGraphNodeGetDependencies);
CUresult fake_dependencies(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  ENTER(context)
  const std::vector<CUgraphNode>& all = state().dependencies.at(node);
  *count = std::min(*count, all.size());
  std::copy_n(all.begin(), *count, nodes);
  return CUDA_SUCCESS;
}
CUresult fake_dependencies_and_edges(CUgraphNode node, CUgraphNode* nodes, void* edges, std::size_t* count)
    EXPORTED_AS(cuGraphNodeGetDependencies_v2);
CUresult fake_dependencies_and_edges(CUgraphNode node, CUgraphNode* nodes, void* edges, std::size_t* count) {
  if (edges == nullptr) return CUDA_ERROR_LOSSY_QUERY;  // as for the edges of dependent launches
  return fake_dependencies(node, nodes, count);
}
CUresult cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy, unsigned references, unsigned) {
  ENTER(context)
  *object = new_handle<CUuserObject>();
  state().user_objects[*object] = {destroy, data, references};
  return CUDA_SUCCESS;
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  ENTER(context)
  for (unsigned i = 0; i < count; ++i) let_go(object);
  return CUDA_SUCCESS;
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  ENTER(context)
  if (flags != CU_GRAPH_USER_OBJECT_MOVE || count != 1) return CUDA_ERROR_INVALID_VALUE;
  state().holds[graph].push_back(object);
  return CUDA_SUCCESS;
}

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
  const auto capture = state().captures.find(stream);
  if (capture == state().captures.end()) return CUDA_ERROR_ILLEGAL_STATE;
  const CUgraph made = graph_of(capture->second);
  state().capture_graphs.erase(capture->second);
  state().captures.erase(capture);
  state().next_depends_on.erase(stream);
  if (call.fails()) {
    let_go_of_all(made);
    return call.result();
  }
  *graph = made;
  state().graphs.insert(*graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  ENTER(context)
  if (state().graphs.count(graph) == 0) return CUDA_ERROR_INVALID_HANDLE;
  *executable = new_handle<CUgraphExec>();
  state().executables.insert(*executable);
  state().holds[*executable] = state().holds[graph];
  for (CUuserObject object : state().holds[graph]) ++state().user_objects.at(object).references;
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
  state().replayed_in.push_back(stream);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  ENTER(context)
  let_go_of_all(executable);
  return state().executables.erase(executable) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuGraphDestroy(CUgraph graph) {
  ENTER(context)
  let_go_of_all(graph);
  return state().graphs.erase(graph) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

}  // extern "C"
