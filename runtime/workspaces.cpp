#include "runtime/workspaces.hpp"

#include <algorithm>

#include <upsweep/error.hpp>

namespace upsweep::runtime {

std::uint32_t Workspaces::layout(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return layouts_.try_emplace(name, static_cast<std::uint32_t>(layouts_.size())).first->second;
}

void* Workspaces::grow(const SlabKey& key, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const Slab* const before = table_.find(key);
  if (before != nullptr && before->bytes() >= bytes) return before->memory();  // another thread was faster
  const std::uint64_t grown = std::max(bytes, before == nullptr ? 0 : 2 * before->bytes());
  const Slab& slab = slabs_.emplace_back(key, pool_.take(key.layout, grown));
  table_.put(slab);
  return slab.memory();
}

void Workspaces::prepare(std::uint32_t layout, std::uint64_t bytes, Stream stream) {
  const Device::StreamIdentity identity = device_->identify(stream);
  if (identity.capture == 0) static_cast<void>(of_stream({identity.stream, layout}, bytes));
  captured_.reserve(layout, bytes);
}

void Workspaces::release(Stream stream) {
  const Device::StreamIdentity identity = device_->identify(stream);
  if (identity.capture != 0) {
    throw UsageError("the stream is being captured: call release() after the end of the capture");
  }
  const std::lock_guard lock(mutex_);
  for (Slab& slab : slabs_) {
    if (slab.key().stream == identity.stream && slab.bytes() > 0) pool_.give_back(slab.take_memory());
  }
}

}  // namespace upsweep::runtime
