// What the GPU tests share: one engine, with no tuning database.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <upsweep/context.hpp>

#include "base/environment.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/engine.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep::test {

// What the tests run on: $UPSWEEP_TEST_DEVICE, such as a part of a GPU, else the current GPU. Of device 0.
inline std::string gpu_device() {
  return base::environment("UPSWEEP_TEST_DEVICE").value_or("cuda");
}

inline const std::shared_ptr<runtime::Engine>& gpu_engine() {
  static const std::shared_ptr<runtime::Engine> engine =
      runtime::Engine::open({.device = gpu_device(), .database = "none", .reproducible = false});
  return engine;
}

// So many items, or what it takes to go round a ring of stages three times.
inline std::uint64_t large_size(const Plan& plan, std::uint64_t usual) {
  const int multiprocessors = gpu_engine()->device().limits().multiprocessors;
  return std::max(usual, refilling_items(plan.source(plan.steps() - 1).launch, plan.config(), multiprocessors) + 3);
}

// A driver function that only the tests call.
template <typename Function>
Function driver_symbol(const char* name) {
  return reinterpret_cast<Function>(runtime::driver().library->symbol(name));
}

// Of device 0.
inline int gpu_attribute(CUdevice_attribute which) {
  int value = 0;
  runtime::driver().check(runtime::driver().cuDeviceGetAttribute(&value, which, 0), "reading an attribute");
  return value;
}

// Driver functions that only graph tests need.
struct Graphs {
  CUresult (*begin)(CUstream, CUstreamCaptureMode) = driver_symbol<decltype(begin)>("cuStreamBeginCapture_v2");
  CUresult (*end)(CUstream, CUgraph*) = driver_symbol<decltype(end)>("cuStreamEndCapture");
  CUresult (*create)(CUgraph*, unsigned) = driver_symbol<decltype(create)>("cuGraphCreate");
  CUresult (*add_child)(CUgraphNode*, CUgraph, const CUgraphNode*, std::size_t,
                        CUgraph) = driver_symbol<decltype(add_child)>("cuGraphAddChildGraphNode");
  CUresult (*instantiate)(CUgraphExec*, CUgraph,
                          unsigned long long) = driver_symbol<decltype(instantiate)>("cuGraphInstantiateWithFlags");
  CUresult (*launch)(CUgraphExec, CUstream) = driver_symbol<decltype(launch)>("cuGraphLaunch");
  CUresult (*destroy_executable)(CUgraphExec) = driver_symbol<decltype(destroy_executable)>("cuGraphExecDestroy");
  CUresult (*destroy)(CUgraph) = driver_symbol<decltype(destroy)>("cuGraphDestroy");
};

// A graph, and what launches it.
class Executable {
 public:
  explicit Executable(CUgraph graph) : graph_(graph) {
    EXPECT_EQ(graphs_.instantiate(&executable_, graph_, 0), CUDA_SUCCESS);
  }
  // Of what `work` adds to the stream.
  template <typename Work>
  Executable(Stream stream, const Work& work) : Executable(capture(stream, work)) {}
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  ~Executable() {
    EXPECT_EQ(graphs_.destroy_executable(executable_), CUDA_SUCCESS);
    EXPECT_EQ(graphs_.destroy(graph_), CUDA_SUCCESS);
  }
  void launch(Stream stream) const { ASSERT_EQ(graphs_.launch(executable_, stream.handle()), CUDA_SUCCESS); }
  [[nodiscard]] CUgraph graph() const { return graph_; }

 private:
  template <typename Work>
  static CUgraph capture(Stream stream, const Work& work) {
    const Graphs graphs;
    CUgraph graph = nullptr;
    EXPECT_EQ(graphs.begin(stream.handle(), CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
    work();
    EXPECT_EQ(graphs.end(stream.handle(), &graph), CUDA_SUCCESS);
    return graph;
  }

  Graphs graphs_;
  CUgraph graph_;
  CUgraphExec executable_ = nullptr;
};

// The device's primary context, current in this thread for the length of a scope: what the CUDA runtime would have
// done.
class ScopedPrimaryContext {
 public:
  ScopedPrimaryContext() {
    CUcontext context = nullptr;
    driver_.check(driver_.cuDevicePrimaryCtxRetain(&context, 0), "retaining the primary context");
    driver_.check(driver_.cuCtxPushCurrent_v2(context), "making the primary context current");
  }
  ScopedPrimaryContext(const ScopedPrimaryContext&) = delete;
  ScopedPrimaryContext& operator=(const ScopedPrimaryContext&) = delete;
  ~ScopedPrimaryContext() {
    CUcontext context = nullptr;
    driver_.cuCtxPopCurrent_v2(&context);
    driver_.cuDevicePrimaryCtxRelease_v2(0);
  }

 private:
  const runtime::Driver& driver_ = runtime::driver();
};

// A stream for the length of a scope.
class ScopedStream {
 public:
  explicit ScopedStream(runtime::Device& device) : device_(device), stream_(device.create_stream()) {}
  ScopedStream(const ScopedStream&) = delete;
  ScopedStream& operator=(const ScopedStream&) = delete;
  ~ScopedStream() { device_.destroy_stream(stream_); }
  [[nodiscard]] Stream get() const { return stream_; }

 private:
  runtime::Device& device_;
  Stream stream_;
};

}  // namespace upsweep::test
