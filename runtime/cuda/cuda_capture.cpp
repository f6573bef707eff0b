// What the driver tells of a capture in progress: which calls come before the next one, and when its graph is gone.
#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/scopes.hpp"
#include "runtime/cuda/streams.hpp"

namespace upsweep::runtime {
namespace {

// So many nodes are looked at for a call's memory before new memory is taken: captures of thousands of branches stay
// quick.
constexpr std::size_t most_visited = 1024;

struct CaptureInfo {
  CUgraph graph = nullptr;
  std::vector<CUgraphNode> next_depends_on;  // what the stream's next call will have edges from
};

CaptureInfo capture_info(const Driver& driver, CUstream stream) {
  CaptureInfo info;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  const CUgraphNode* nodes = nullptr;
  const void* edges = nullptr;
  std::size_t count = 0;
  const CUresult result =
      driver.cuStreamGetCaptureInfo_v3 != nullptr
          ? driver.cuStreamGetCaptureInfo_v3(stream, &status, &id, &info.graph, &nodes, &edges, &count)
          : driver.cuStreamGetCaptureInfo_v2(stream, &status, &id, &info.graph, &nodes, &count);
  if (result != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return {};
  info.next_depends_on.assign(nodes, nodes + count);
  return info;
}

// What a node has edges from, or a part of it: a call whose order is not known counts as one that runs beside others.
std::vector<CUgraphNode> dependencies(const Driver& driver, CUgraphNode node) {
  struct EdgeData {
    unsigned char bytes[8];  // CUgraphEdgeData, from CUDA 12.3 on; not looked at
  };
  std::array<CUgraphNode, 64> nodes{};
  std::array<EdgeData, nodes.size()> edges{};
  std::size_t count = nodes.size();
  const CUresult result = driver.cuGraphNodeGetDependencies_v2 != nullptr
                              ? driver.cuGraphNodeGetDependencies_v2(node, nodes.data(), edges.data(), &count)
                              : driver.cuGraphNodeGetDependencies(node, nodes.data(), &count);
  if (result != CUDA_SUCCESS) return {};
  return {nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(std::min(count, nodes.size()))};
}

}  // namespace

CapturedCall CudaDevice::last_captured(Stream stream) {
  const Current current(driver_, context_);
  const CaptureInfo info = capture_info(driver_, queue(stream));
  return info.next_depends_on.size() == 1 ? info.next_depends_on.front() : nullptr;
}

bool CudaDevice::runs_after(Stream stream, CapturedCall call) {
  const Current current(driver_, context_);
  std::vector<CUgraphNode> open = capture_info(driver_, queue(stream)).next_depends_on;
  std::unordered_set<CUgraphNode> seen(open.begin(), open.end());
  for (std::size_t at = 0; at < open.size() && at < most_visited; ++at) {
    if (open[at] == call) return true;
    for (CUgraphNode node : dependencies(driver_, open[at])) {
      if (seen.insert(node).second) open.push_back(node);
    }
  }
  return false;
}

bool CudaDevice::when_graph_is_gone(Stream stream, void (*then)(void*) noexcept, void* data) {
  const Current current(driver_, context_);
  const CUgraph graph = capture_info(driver_, queue(stream)).graph;
  if (graph == nullptr) return false;
  // The graph takes the only reference over; its copies and executables have their own (CUDA driver API, "User
  // Objects").
  CUuserObject object = nullptr;
  if (driver_.cuUserObjectCreate(&object, data, then, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) != CUDA_SUCCESS)
    return false;
  const CUresult result = driver_.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
  driver_.check(result, "attaching a workspace to a CUDA graph");
  return true;
}

}  // namespace upsweep::runtime
