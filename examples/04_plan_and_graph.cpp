// Two plans in a CUDA graph: looked up, compiled and prepared once, captured once, launched many times.
// Prints the device, and a sum and a maximum for each of three inputs. Where there is no GPU there are no graphs
// either: the two plans then run one after the other.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "device_array.hpp"

namespace {

// What was captured, ready to be launched.
class Graph {
 public:
  Graph(cudaStream_t stream, const std::function<void()>& work) : stream_(stream) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    work();
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiateWithFlags(&executable_, graph, 0));
    check(cudaGraphDestroy(graph));
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch() { check(cudaGraphLaunch(executable_, stream_)); }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t executable_ = nullptr;
};

// Small integers, so that sums of float are exact in any order.
std::vector<float> items_of(int input, std::size_t n) {
  std::vector<float> items(n);
  for (std::size_t i = 0; i < n; ++i) items[i] = static_cast<float>(static_cast<int>(i % 7) - input);
  return items;
}

}  // namespace

int main() try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());
  constexpr std::size_t n = 50'000;
  DeviceArray<float> in(context, n);
  DeviceArray<float> sums(context, n);
  DeviceArray<float> largest(context, 1);
  cudaStream_t stream = nullptr;
  if (is_gpu(context)) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  const upsweep::Plan scan = context.plan(upsweep::make_problem(upsweep::Algorithm::inclusive_scan, upsweep::plus,
                                                                upsweep::Type::f32, upsweep::Type::f32, n));
  const upsweep::Plan maximum = context.plan(
      upsweep::make_problem(upsweep::Algorithm::reduce, upsweep::maximum, upsweep::Type::f32, upsweep::Type::f32, n));
  const auto both = [&] {
    scan.run(in.data(), sums.data(), n, stream);
    maximum.run(sums.data(), largest.data(), n, stream);
  };
  // Calls in a capture must not allocate: prepare() does it before.
  scan.prepare(n, stream);
  maximum.prepare(n, stream);
  std::optional<Graph> graph;
  if (is_gpu(context)) graph.emplace(stream, both);

  bool correct = true;
  for (int input = 1; input <= 3; ++input) {
    const std::vector<float> items = items_of(input, n);
    in.copy_from(items);
    graph ? graph->launch() : both();
    std::vector<float> expected(n);
    std::partial_sum(items.begin(), items.end(), expected.begin());
    const float sum = sums.values().back();
    const float highest = largest.values()[0];
    std::printf("input %d: the sum is %.0f, the running sum's maximum %.0f\n", input, sum, highest);
    correct = correct && sums.values() == expected && highest == *std::max_element(expected.begin(), expected.end());
  }

  graph.reset();
  if (is_gpu(context)) {
    context.release(stream);
    check(cudaStreamDestroy(stream));
  }
  return correct ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
