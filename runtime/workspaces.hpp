// Workspaces: device memory that kernels keep between launches, one for each stream and layout, and for captured calls
// as CapturedWorkspaces says. Scratch is lent in the same way: plans that run in one stream take turns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "generator/workspace_parts.hpp"
#include "runtime/captured_workspaces.hpp"
#include "runtime/device.hpp"
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
  // at least as many bytes as it asks for. Allocates only where a stream's memory grows, and for captured calls.
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

  // While the lock is held, no other thread launches the kernels of a call of several steps. These pass values on
  // through scratch that all calls in a stream share, so the kernels of another call must not come between them.
  [[nodiscard]] std::unique_lock<std::mutex> hold_order() { return std::unique_lock(order_mutex_); }

  // Sees to it that a call of as many bytes allocates nothing: neither on the stream, nor as the first call of the next
  // capture, which then keeps the memory until its graph is gone.
  void prepare(std::uint32_t layout, std::uint64_t bytes, Stream stream);

  // Gives back what is kept for the stream, for use by other streams. No work of this stream that was given to it
  // through this object may be left, and no other thread may use it so meanwhile.
  void release(Stream stream);

 private:
  struct Key {
    std::uint64_t stream = 0;  // Device::StreamIdentity::stream
    std::uint32_t layout = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept { return key.stream * 0x9e3779b97f4a7c15u ^ key.layout; }
  };
  // The memory of one key. It grows by doubling; what it has outgrown is kept until the stream is released, because
  // calls in flight may still use it.
  using Kept = std::vector<std::unique_ptr<WorkspaceMemory>>;

  // The look-up takes 16 ns, of about 3 us that a call takes (docs/measurements.md); a table that is read without a
  // lock takes 2 ns (one thread, a Xeon of 2023).
  [[nodiscard]] void* of_stream(const Key& key, std::uint64_t bytes) {
    void* const found = find(key, bytes);
    return found != nullptr ? found : grow(key, bytes);
  }
  // Null: the key has less memory.
  [[nodiscard]] void* find(const Key& key, std::uint64_t bytes) {
    const std::lock_guard lock(kept_mutex_);
    const auto at = kept_.find(key);
    if (at == kept_.end() || at->second.empty() || at->second.back()->bytes() < bytes) return nullptr;
    return at->second.back()->data();
  }
  [[nodiscard]] void* grow(const Key& key, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t bytes_of(const Key& key);

  std::shared_ptr<Device> device_;
  std::mutex order_mutex_;  // locked last, while the kernels of one call are launched
  std::mutex mutex_;        // for layouts and growth, which may take long
  std::map<std::string, std::uint32_t> layouts_;
  WorkspacePool pool_{*device_};
  CapturedWorkspaces captured_{*device_, pool_};
  std::mutex kept_mutex_;  // for what follows; whoever holds both has locked the other one first
  std::unordered_map<Key, Kept, KeyHash> kept_;
};

}  // namespace upsweep::runtime
