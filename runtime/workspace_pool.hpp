// Device memory for workspaces that nothing uses just now, by layout.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/device.hpp"

namespace upsweep::runtime {

// What a call needs of one layout.
struct WorkspaceRequest {
  std::uint32_t layout = 0;
  std::uint64_t bytes = 0;
};

// Memory of one layout: zeroed when new, and left ready by each launch for the next.
class WorkspaceMemory {
 public:
  WorkspaceMemory(Device& device, std::uint32_t layout, std::uint64_t bytes)
      : device_(device), layout_(layout), memory_(device.allocate_zeroed(bytes)), bytes_(bytes) {}
  WorkspaceMemory(const WorkspaceMemory&) = delete;
  WorkspaceMemory& operator=(const WorkspaceMemory&) = delete;
  ~WorkspaceMemory() { device_.release(memory_); }
  [[nodiscard]] std::uint32_t layout() const noexcept { return layout_; }
  [[nodiscard]] void* data() const noexcept { return memory_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  Device& device_;
  std::uint32_t layout_;
  void* memory_;
  std::uint64_t bytes_;
};

// Thread-safe.
class WorkspacePool {
 public:
  explicit WorkspacePool(Device& device) : device_(device) {}

  // At least that many bytes of the layout: the smallest piece that is free and large enough, or a new one.
  [[nodiscard]] std::unique_ptr<WorkspaceMemory> take(std::uint32_t layout, std::uint64_t bytes);
  // No work that uses the memory may be left, in any stream or graph.
  void give_back(std::unique_ptr<WorkspaceMemory> memory);
  // Sees to it that the next `take` of as much allocates nothing.
  void reserve(std::uint32_t layout, std::uint64_t bytes);

 private:
  [[nodiscard]] std::vector<std::unique_ptr<WorkspaceMemory>>::iterator find(std::uint32_t layout, std::uint64_t bytes);

  Device& device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<WorkspaceMemory>> free_;
};

}  // namespace upsweep::runtime
