#include "tuner/worker/faulty_device.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <upsweep/port.hpp>

#include "generator/algorithm.hpp"
#include "runtime/argument_bytes.hpp"
#include "runtime/kernel_store.hpp"

namespace upsweep::tuner {

std::unique_ptr<runtime::Kernel> FaultyDevice::load(std::span<const std::byte> binary, const std::string& entry,
                                                    const LaunchRule& launch) {
  if (fault_ == Fault::oom) throw runtime::OutOfDeviceMemory("no memory for a kernel: this fault was asked for");
  // No other kernel of the same run has this launch: neither what compares results nor the schedule sequential.
  const bool is_armed = entry == source_.entry && launch == source_.launch;
  if (is_armed && is_of_text(fault_)) {
    const runtime::Compiled compiled =
        compiler_->compile(with_fault(source_, fault_), runtime::architecture_for(*device_));
    return device_->load(compiled.binary, entry, launch);
  }
  auto kernel = device_->load(binary, entry, launch);
  if (is_armed && fault_ == Fault::lie) liars_.insert(kernel.get());
  return kernel;
}

void FaultyDevice::launch(const runtime::Kernel& kernel, const runtime::Launch& launch, void** arguments,
                          runtime::Stream stream) {
  device_->launch(kernel, launch, arguments, stream);
  if (!liars_.contains(&kernel)) return;
  constexpr std::uint8_t lie = 0x3c;
  const ArgumentsRule rule = arguments_of(problem_);
  const std::vector<Port> all = ports(problem_);
  std::uint64_t n = 0;
  runtime::read_argument(rule, index_of_n(rule), arguments[0], &n);
  // The last item of the first output: of those that fill as many places as there may be, the first item.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].direction == Direction::in) continue;
    std::byte* out = nullptr;
    runtime::read_argument(rule, i, arguments[0], static_cast<void*>(&out));
    const std::uint64_t last =
        all[i].extent == Extent::at_most_n ? 0 : std::max<std::uint64_t>(port_items(problem_, all[i], n), 1) - 1;
    device_->fill(out + last * size_of(all[i].type), lie, size_of(all[i].type), stream);
    return;
  }
}

void* FaultyDevice::allocate(std::size_t bytes) {
  if (fault_ == Fault::oom) throw runtime::OutOfDeviceMemory("no device memory: this fault was asked for");
  return device_->allocate(bytes);
}

}  // namespace upsweep::tuner
