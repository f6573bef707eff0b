#include "runtime/workspaces.hpp"

#include <algorithm>

#include <upsweep/error.hpp>

namespace upsweep::runtime {

std::uint32_t Workspaces::layout(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return layouts_.try_emplace(name, static_cast<std::uint32_t>(layouts_.size())).first->second;
}

void* Workspaces::grow(const Key& key, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (void* const found = find(key, bytes)) return found;  // another thread was faster
  const std::uint64_t grown = 2 * bytes_of(key);
  std::unique_ptr<WorkspaceMemory> memory = pool_.take(key.layout, std::max(bytes, grown));
  const std::lock_guard kept(kept_mutex_);
  return kept_[key].emplace_back(std::move(memory))->data();
}

std::uint64_t Workspaces::bytes_of(const Key& key) {
  const std::lock_guard lock(kept_mutex_);
  const auto at = kept_.find(key);
  return at == kept_.end() || at->second.empty() ? 0 : at->second.back()->bytes();
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
  const std::lock_guard kept(kept_mutex_);
  for (auto at = kept_.begin(); at != kept_.end();) {
    if (at->first.stream != identity.stream) {
      ++at;
      continue;
    }
    for (std::unique_ptr<WorkspaceMemory>& memory : at->second) pool_.give_back(std::move(memory));
    at = kept_.erase(at);
  }
}

}  // namespace upsweep::runtime
