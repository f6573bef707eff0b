#include "tuner/verify/device_comparison.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "generator/templates.hpp"

namespace upsweep::tuner {
namespace {

constexpr int block_threads = 256;
constexpr std::uint64_t bytes_per_thread = 64;

Source comparison_source() {
  Source source{.text = {}, .entry = "upsweep_compare", .key = {}, .launch = {}, .workspace = {}};
  for (const TemplateFile& file : templates()) {
    if (file.path == "target/compare.cuh") source.text = file.text;
  }
  source.key = base::hash(source.text);
  source.launch.threads_per_block = block_threads;
  source.launch.items_per_tile = block_threads;
  return source;
}

}  // namespace

DeviceComparison::DeviceComparison(runtime::Device& device, runtime::KernelStore& kernels)
    : device_(device), kernel_(kernels.get(comparison_source())), differs_(device, 16) {}

void DeviceComparison::begin(runtime::Stream stream) {
  device_.fill(differs_.data(), 0, sizeof(unsigned), stream);
}

void DeviceComparison::compare(const void* a, const void* b, std::uint64_t bytes, runtime::Stream stream) {
  std::uint64_t words = bytes / 16;
  void* differs = differs_.data();
  runtime::Launch launch;
  launch.threads_per_block = block_threads;
  launch.blocks = std::clamp<std::uint64_t>(bytes / (block_threads * bytes_per_thread), 1, 65535);
  void* arguments[] = {&a, &b, &words, &differs};
  device_.launch(*kernel_->kernel, launch, arguments, stream);
}

bool DeviceComparison::all_same(runtime::Stream stream) {
  unsigned result = 0;
  device_.copy_to_host(&result, differs_.data(), sizeof result, stream);
  return result == 0;
}

}  // namespace upsweep::tuner
