// Which workspace belongs to a stream, a capture and a layout: a hash table that is read without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/device.hpp"

namespace upsweep::runtime {

struct SlabKey {
  Device::StreamIdentity stream;
  std::uint32_t layout = 0;
  bool operator==(const SlabKey&) const = default;
};

// Zeroed device memory of one key; never changed, so that it can be read while others are added.
class Slab {
 public:
  Slab(Device& device, const SlabKey& key, std::uint64_t bytes)
      : device_(device), key_(key), memory_(device.allocate_zeroed(bytes)), bytes_(bytes) {}
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() { device_.release(memory_); }
  [[nodiscard]] const SlabKey& key() const noexcept { return key_; }
  [[nodiscard]] void* memory() const noexcept { return memory_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  Device& device_;
  SlabKey key_;
  void* memory_;
  std::uint64_t bytes_;
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
