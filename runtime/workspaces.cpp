#include "runtime/workspaces.hpp"

#include <algorithm>

namespace upsweep::runtime {

std::uint32_t Workspaces::layout(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return layouts_.try_emplace(name, static_cast<std::uint32_t>(layouts_.size())).first->second;
}

void* Workspaces::grow(const SlabKey& key, std::uint64_t bytes) {
  constexpr std::uint64_t smallest = 16 * 1024;  // 2000 tiles: most streams never grow
  const std::lock_guard lock(mutex_);
  const Slab* const before = table_.find(key);
  if (before != nullptr && before->bytes() >= bytes) return before->memory();  // another thread was faster
  const std::uint64_t grown = std::max({bytes, before == nullptr ? 0 : 2 * before->bytes(), smallest});
  const Slab& slab = slabs_.emplace_back(*device_, key, grown);
  table_.put(slab);
  return slab.memory();
}

}  // namespace upsweep::runtime
