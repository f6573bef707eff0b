#include "runtime/workspace_pool.hpp"

#include <algorithm>
#include <utility>

#include "base/logging.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::uint64_t smallest = 16 * 1024;  // 2000 tiles: most streams never need more

std::unique_ptr<WorkspaceMemory> allocate(Device& device, std::uint32_t layout, std::uint64_t bytes) {
  log_debug("allocating a workspace of {} bytes on {}", bytes, device.label());
  return std::make_unique<WorkspaceMemory>(device, layout, std::max(bytes, smallest));
}

}  // namespace

std::vector<std::unique_ptr<WorkspaceMemory>>::iterator WorkspacePool::find(std::uint32_t layout, std::uint64_t bytes) {
  auto best = free_.end();
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    if ((*at)->layout() != layout || (*at)->bytes() < bytes) continue;
    if (best == free_.end() || (*at)->bytes() < (*best)->bytes()) best = at;
  }
  return best;
}

std::unique_ptr<WorkspaceMemory> WorkspacePool::take(std::uint32_t layout, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = find(layout, bytes);
  if (found == free_.end()) return allocate(device_, layout, bytes);
  std::unique_ptr<WorkspaceMemory> taken = std::move(*found);
  free_.erase(found);
  return taken;
}

void WorkspacePool::give_back(std::unique_ptr<WorkspaceMemory> memory) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(memory));
}

void WorkspacePool::reserve(std::uint32_t layout, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (find(layout, bytes) == free_.end()) free_.push_back(allocate(device_, layout, bytes));
}

}  // namespace upsweep::runtime
