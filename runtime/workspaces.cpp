#include "runtime/workspaces.hpp"

#include <algorithm>

namespace upsweep::runtime {

Workspaces::~Workspaces() {
  for (const auto& [key, slab] : current_) device_->release(slab.memory);
  for (void* memory : outgrown_) device_->release(memory);
}

void* Workspaces::get(const std::string& layout, std::uint64_t bytes, Stream stream) {
  constexpr std::uint64_t smallest = 16 * 1024;  // 2000 tiles: most streams never grow
  const Device::StreamIdentity identity = device_->identify(stream);
  const std::lock_guard lock(mutex_);
  Slab& slab = current_[{identity, layout}];
  if (slab.bytes < bytes) {
    const std::uint64_t grown = std::max({bytes, 2 * slab.bytes, smallest});
    void* memory = device_->allocate_zeroed(grown);
    if (slab.memory != nullptr) outgrown_.push_back(slab.memory);
    slab = {memory, grown};
  }
  return slab.memory;
}

}  // namespace upsweep::runtime
