#include "runtime/cuda/cuda_recording.hpp"

#include <upsweep/error.hpp>

#include "runtime/cuda/scopes.hpp"

namespace upsweep::runtime {
namespace {

class Graph {
 public:
  Graph(const Driver& driver, CUstream stream, const std::function<void()>& work) : driver_(driver) {
    // Of this thread alone: others may do what a capture forbids.
    driver.check(driver.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                 "beginning to capture a CUDA stream");
    try {
      work();
    } catch (...) {
      driver.cuStreamEndCapture(stream, &graph_);
      release();
      throw;
    }
    const CUresult result = driver.cuStreamEndCapture(stream, &graph_);
    if (result != CUDA_SUCCESS) release();
    driver.check(result, "capturing a CUDA stream");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { release(); }
  [[nodiscard]] CUgraph get() const { return graph_; }

 private:
  void release() {
    if (graph_ != nullptr) driver_.cuGraphDestroy(graph_);
    graph_ = nullptr;
  }
  const Driver& driver_;
  CUgraph graph_ = nullptr;
};

}  // namespace

CudaRecording::CudaRecording(const Driver& driver, CUcontext context, CUstream stream, CUstream default_stream,
                             const std::function<void()>& work)
    : driver_(driver), context_(context), default_stream_(default_stream) {
  const Graph graph(driver, stream, work);
  driver.check(driver.cuGraphInstantiateWithFlags(&graph_, graph.get(), 0), "making a CUDA graph");
  // So that the first replay takes no longer than others.
  const CUresult result = driver.cuGraphUpload(graph_, stream);
  if (result != CUDA_SUCCESS) driver.cuGraphExecDestroy(graph_);
  driver.check(result, "uploading a CUDA graph");
}

CudaRecording::~CudaRecording() {
  try {
    const Current current(driver_, context_);
    driver_.cuGraphExecDestroy(graph_);
  } catch (const DeviceError&) {
    // Gone with its context.
  }
}

void CudaRecording::replay(Stream stream) {
  const Current current(driver_, context_);
  CUstream where = stream.handle() == nullptr ? default_stream_ : stream.handle();
  driver_.check(driver_.cuGraphLaunch(graph_, where), "launching a CUDA graph");
}

}  // namespace upsweep::runtime
