// How long a process waits for its first result: from nothing, and beyond what CUDA itself takes to start.
//   UPSWEEP_CACHE_DIR=$(mktemp -d) first_call        and again with the same folder
#include <chrono>
#include <cstdio>
#include <exception>
#include <vector>

#include <upsweep/upsweep.hpp>

#include "runtime/cuda/cuda_device.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

int measure() {
  const Clock::time_point begin = Clock::now();
  const auto device = upsweep::runtime::CudaDevice::open(0);
  const std::vector<int> input(1 << 20, 1);
  const std::size_t bytes = input.size() * sizeof(int);
  const upsweep::runtime::Buffer in(*device, bytes), out(*device, bytes);
  device->copy_to_device(in.data(), input.data(), bytes, nullptr);
  const double start_ms = milliseconds_since(begin);

  const Clock::time_point first = Clock::now();
  upsweep::Context context({.device = "cuda", .database = "none"});
  context.inclusive_scan(static_cast<const int*>(in.data()), static_cast<int*>(out.data()), input.size());
  int last = 0;
  device->copy_to_host(&last, static_cast<int*>(out.data()) + input.size() - 1, sizeof last, nullptr);
  const double first_ms = milliseconds_since(first);

  const Clock::time_point second = Clock::now();
  context.inclusive_scan(static_cast<const int*>(in.data()), static_cast<int*>(out.data()), input.size());
  device->copy_to_host(&last, static_cast<int*>(out.data()) + input.size() - 1, sizeof last, nullptr);
  std::printf("CUDA start %.1f ms, first call to result %.1f ms, second call to result %.3f ms, last sum %d\n",
              start_ms, first_ms, milliseconds_since(second), last);
  return last == (1 << 20) ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return measure();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "first_call: %s\n", error.what());
    return 1;
  }
}
