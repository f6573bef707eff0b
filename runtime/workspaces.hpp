// Workspaces: device memory that kernels keep between launches, one for each stream and layout, and for captured calls
// as CapturedWorkspaces says. Scratch is lent in the same way: plans that run in one stream take turns.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "generator/workspace_parts.hpp"
#include "runtime/captured_workspaces.hpp"
#include "runtime/device.hpp"
#include "runtime/slab_table.hpp"
#include "runtime/workspace_pool.hpp"

namespace upsweep::runtime {

// Thread-safe. A stream is known by its identity, which is asked for on every call: a handle may name another stream
// than it did a moment ago, while work of the one before is still running. For the same reason the workspace of a
// stream that was destroyed is not used again on its own: the driver does not tell when that stream's work has ended.
// Whoever knows calls `release`.
class Workspaces {
 public:
  explicit Workspaces(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  Workspaces(const Workspaces&) = delete;
  Workspaces& operator=(const Workspaces&) = delete;

  // The number by which the others know a layout.
  [[nodiscard]] std::uint32_t layout(const std::string& name);

  // Calls `launch(memory)`, which adds one call to the stream, with an address for each request, of different layouts:
  // at least as many bytes as it asks for. Takes a lock and allocates only where a stream's memory grows, and for
  // captured calls.
  template <typename Launch>
  void lend(std::span<const WorkspaceRequest> requests, Stream stream, const Launch& launch) {
    const Device::StreamIdentity identity = device_->identify(stream);
    if (identity.capture != 0) return captured_.lend(identity.capture, requests, stream, launch);
    std::array<void*, most_workspace_parts> memory{};
    for (std::size_t i = 0; i < requests.size(); ++i) {
      memory[i] = of_stream({identity.stream, requests[i].layout}, requests[i].bytes);
    }
    launch(memory.data());
  }

  // Sees to it that a call of as many bytes allocates nothing: neither on the stream, nor as the first call of the next
  // capture, which then keeps the memory until its graph is gone.
  void prepare(std::uint32_t layout, std::uint64_t bytes, Stream stream);

  // Gives back what is kept for the stream, for use by other streams. No work of this stream that was given to it
  // through this object may be left, and no other thread may use it so meanwhile.
  void release(Stream stream);

 private:
  // The memory grows by doubling; what it has outgrown is kept until the stream is released, because calls in flight
  // may still use it.
  [[nodiscard]] void* of_stream(const SlabKey& key, std::uint64_t bytes) {
    const Slab* const slab = table_.find(key);
    return slab != nullptr && slab->bytes() >= bytes ? slab->memory() : grow(key, bytes);
  }
  [[nodiscard]] void* grow(const SlabKey& key, std::uint64_t bytes);

  std::shared_ptr<Device> device_;
  std::mutex mutex_;  // for what follows, but for finding in the table
  std::map<std::string, std::uint32_t> layouts_;
  WorkspacePool pool_{*device_};
  CapturedWorkspaces captured_{*device_, pool_};
  std::deque<Slab> slabs_;  // the outgrown and the released too
  SlabTable table_;
};

}  // namespace upsweep::runtime
