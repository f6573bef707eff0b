// Workspaces: device memory that kernels keep between launches, one for each stream, capture and layout.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/device.hpp"
#include "runtime/slab_table.hpp"

namespace upsweep::runtime {

// Thread-safe. A stream is known by its identity, which is asked for on every call: a handle may name another stream
// than it did a moment ago, while work of the one before is still running. For the same reason the workspace of a
// stream that was destroyed is not used again: the driver does not tell when that stream's work has ended.
class Workspaces {
 public:
  explicit Workspaces(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  Workspaces(const Workspaces&) = delete;
  Workspaces& operator=(const Workspaces&) = delete;

  // The number by which `get` knows a layout.
  [[nodiscard]] std::uint32_t layout(const std::string& name);

  // At least `bytes` bytes for kernels of the layout on the stream, zero when new. It grows by doubling; what it has
  // outgrown is freed with this object only, because calls in flight and captured graphs may still use it. Takes a lock
  // and allocates only where it grows.
  [[nodiscard]] void* get(std::uint32_t layout, std::uint64_t bytes, Stream stream) {
    const SlabKey key{device_->identify(stream), layout};
    const Slab* const slab = table_.find(key);
    return slab != nullptr && slab->bytes() >= bytes ? slab->memory() : grow(key, bytes);
  }

 private:
  void* grow(const SlabKey& key, std::uint64_t bytes);

  std::shared_ptr<Device> device_;
  std::mutex mutex_;  // for what follows, but for finding in the table
  std::map<std::string, std::uint32_t> layouts_;
  std::deque<Slab> slabs_;  // the outgrown too
  SlabTable table_;
};

}  // namespace upsweep::runtime
