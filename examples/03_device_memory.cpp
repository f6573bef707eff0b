// Device memory of cudaMalloc and a stream, as a CUDA program has them: a running sum and a maximum.
// Prints the device, the last sum and the largest item. Where there is no GPU, upsweep computes on the CPU (the host
// device), and the arrays lie in ordinary memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <upsweep/upsweep.hpp>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

template <typename T>
T* allocate(std::size_t items, bool on_gpu) {
  void* memory = nullptr;
  if (on_gpu) {
    check(cudaMalloc(&memory, items * sizeof(T)));
  } else {
    memory = std::malloc(items * sizeof(T));
  }
  return static_cast<T*>(memory);
}

void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream, bool on_gpu) {
  if (on_gpu) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
  } else {
    std::memcpy(to, from, bytes);
  }
}

void release(void* memory, bool on_gpu) {
  if (on_gpu) {
    check(cudaFree(memory));
  } else {
    std::free(memory);
  }
}

}  // namespace

int main() try {
  upsweep::Context context;  // the GPU that is current in this thread
  std::printf("device: %s\n", context.device().c_str());
  const bool on_gpu = context.device() != "host";
  cudaStream_t stream = nullptr;
  if (on_gpu) check(cudaStreamCreate(&stream));

  std::vector<int> items(100'000);
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<int>(i * 7919 % 10007);
  int* const in = allocate<int>(items.size(), on_gpu);
  std::int64_t* const sums = allocate<std::int64_t>(items.size(), on_gpu);
  int* const largest = allocate<int>(1, on_gpu);

  // Everything is in stream order: copy, scan, reduce, copy back. The types of the pointers say what is computed: int
  // items, summed in 64 bits.
  copy(in, items.data(), items.size() * sizeof(int), stream, on_gpu);
  context.inclusive_scan(in, sums, items.size(), upsweep::plus, stream);
  context.reduce(in, largest, items.size(), upsweep::maximum, stream);
  std::vector<std::int64_t> sums_here(items.size());
  int largest_here = 0;
  copy(sums_here.data(), sums, sums_here.size() * sizeof(std::int64_t), stream, on_gpu);
  copy(&largest_here, largest, sizeof(int), stream, on_gpu);
  if (on_gpu) check(cudaStreamSynchronize(stream));

  for (void* const memory : {static_cast<void*>(in), static_cast<void*>(sums), static_cast<void*>(largest)}) {
    release(memory, on_gpu);
  }
  if (on_gpu) {
    context.release(stream);  // before the stream is gone
    check(cudaStreamDestroy(stream));
  }

  std::printf("sum: %lld\nlargest: %d\n", static_cast<long long>(sums_here.back()), largest_here);
  std::int64_t sum = 0;
  int expected_largest = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    sum += items[i];
    if (items[i] > expected_largest) expected_largest = items[i];
    if (sums_here[i] != sum) {
      std::fprintf(stderr, "sum %zu is wrong\n", i);
      return 1;
    }
  }
  return largest_here == expected_largest ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
