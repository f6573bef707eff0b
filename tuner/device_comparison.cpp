#include "tuner/device_comparison.hpp"

#include <algorithm>

#include "generator/hash.hpp"

namespace upsweep::tuner {
namespace {

constexpr int threads = 256;
constexpr std::uint64_t bytes_per_thread = 64;

Source comparison_source() {
  Source source;
  source.text = R"(// Sets *differs where two arrays of 16-byte words are not the same.
extern "C" __global__ void upsweep_compare(const uint4* a, const uint4* b, unsigned long long words,
                                           unsigned int* differs) {
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) {
    const uint4 x = a[i], y = b[i];
    if (x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w) *differs = 1;
  }
}
)";
  source.entry = "upsweep_compare";
  source.key = hash(source.text);
  source.launch.threads_per_block = threads;
  source.launch.items_per_tile = threads;
  return source;
}

}  // namespace

DeviceComparison::DeviceComparison(runtime::Device& device, runtime::KernelStore& kernels)
    : device_(device), kernel_(kernels.get(comparison_source())), differs_(device, 16) {}

bool DeviceComparison::equal(const void* a, const void* b, std::uint64_t bytes, runtime::Stream stream) {
  std::uint64_t words = bytes / 16;
  void* differs = differs_.data();
  device_.fill(differs, 0, sizeof(unsigned), stream);
  runtime::Launch launch;
  launch.threads_per_block = threads;
  launch.blocks = std::clamp<std::uint64_t>(bytes / (threads * bytes_per_thread), 1, 65535);
  void* arguments[] = {&a, &b, &words, &differs};
  device_.launch(*kernel_->kernel, launch, arguments, stream);
  unsigned result = 0;
  device_.copy_to_host(&result, differs, sizeof result, stream);
  return result == 0;
}

}  // namespace upsweep::tuner
