// Copies that threads of the host device have begun and that go on by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/host/accesses.hpp"

namespace upsweep::runtime {

struct HostThread;

struct HostCopy {
  enum class Kind : std::uint8_t {
    bulk_load,    // of global memory, whose bytes a phase barrier counts
    async_load,   // of 16 bytes
    arrival,      // at a phase barrier, after the thread's async loads
    store_read,   // the first half of a bulk store, which reads shared memory
    store_write,  // the second half, which writes global memory
    word_store,   // of a word that blocks exchange
  };
  Kind kind = Kind::bulk_load;
  HostThread* thread = nullptr;  // that began it; of no meaning for the second half of a store, which may outlive it
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t group = 0;           // of a store, in its thread
  std::uint32_t number = 0;          // of a word store, in the order in which they were begun
  std::uint64_t* barrier = nullptr;  // of a bulk load or an arrival
  HostAccesses::Moment moment;       // of what the barrier learns when it has happened
  std::vector<std::byte> data;       // between the halves of a store
};

// Those in flight, in no order.
class HostCopies {
 public:
  [[nodiscard]] bool empty() const noexcept { return copies_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return copies_.size(); }
  void add(HostCopy copy) { copies_.push_back(std::move(copy)); }
  [[nodiscard]] HostCopy take(std::size_t index) {
    std::swap(copies_[index], copies_.back());
    HostCopy taken = std::move(copies_.back());
    copies_.pop_back();
    return taken;
  }
  [[nodiscard]] const HostCopy& operator[](std::size_t index) const noexcept { return copies_[index]; }

 private:
  std::vector<HostCopy> copies_;
};

}  // namespace upsweep::runtime
