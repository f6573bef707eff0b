// Which workspace belongs to a stream and a layout: a hash table that is read without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/workspace_pool.hpp"

namespace upsweep::runtime {

struct SlabKey {
  std::uint64_t stream = 0;  // Device::StreamIdentity::stream
  std::uint32_t layout = 0;
  bool operator==(const SlabKey&) const = default;
};

// The memory of one key; not changed while the key's stream is in use, so that it can be read while others are added.
class Slab {
 public:
  Slab(const SlabKey& key, std::unique_ptr<WorkspaceMemory> memory) : key_(key), memory_(std::move(memory)) {}
  [[nodiscard]] const SlabKey& key() const noexcept { return key_; }
  [[nodiscard]] void* memory() const noexcept { return memory_->data(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return memory_ ? memory_->bytes() : 0; }
  // Leaves 0 bytes, too few for any call.
  [[nodiscard]] std::unique_ptr<WorkspaceMemory> take_memory() noexcept { return std::move(memory_); }

 private:
  SlabKey key_;
  std::unique_ptr<WorkspaceMemory> memory_;
};

// Open addressing with linear probing. Nothing is ever taken out.
class SlabTable {
 public:
  SlabTable();
  SlabTable(const SlabTable&) = delete;
  SlabTable& operator=(const SlabTable&) = delete;

  // The key's slab, or one that `put` has replaced in the meantime; null if it has none. Any thread may call, at any
  // time.
  [[nodiscard]] const Slab* find(const SlabKey& key) const noexcept;
  // Makes a slab its key's. One thread at a time; the slab must live as long as the table. Nothing changes if it
  // throws.
  void put(const Slab& slab);

 private:
  using Slot = std::atomic<const Slab*>;
  struct Slots {
    explicit Slots(std::uint64_t count) : mask(count - 1), all(count) {}
    struct Place {
      std::uint64_t slot;
      const Slab* slab;  // what was there when it was looked at; null where the key would go
    };
    [[nodiscard]] Place find(const SlabKey& key) const noexcept;  // there is always a free slot to end at
    std::uint64_t mask;                                           // a power of two less one
    std::vector<Slot> all;
  };
  void grow();

  std::atomic<const Slots*> current_;
  std::vector<std::unique_ptr<Slots>> generations_;  // a reader may still be in an old one; all of them together are
                                                     // less than twice the last
  std::uint64_t used_ = 0;
};

}  // namespace upsweep::runtime
