// What threads of the host device have begun and that goes on by itself: copies between global and shared memory, and
// stores of words that have not reached memory. In a tame schedule it happens as it is begun; what is late happens in
// any order, at any time that another thread gets its turn, and where nothing else can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/host/accesses.hpp"
#include "runtime/host/fibers.hpp"
#include "runtime/host/shared_memory.hpp"
#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

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

class HostInFlight {
 public:
  HostInFlight(HostFibers& fibers, HostSharedMemory& shared, WeakMemory& memory)
      : fibers_(fibers), shared_(shared), memory_(memory) {}

  // Of the thread that runs.
  void begin(HostCopy copy);
  void begin_store(void* to, const void* from, std::uint32_t bytes);

  // At each turn: what is late may happen.
  void let_happen() {
    if (!copies_.empty()) let_late_happen();
  }
  // A thread's stores of words, in their order: it has fenced, or goes on to what may not come before them.
  void finish_stores(HostThread& thread) {
    while (thread.late_stores > 0) finish_first_store(thread);
  }
  // A thread sees its own stores, and they stay in order.
  void finish_store_to(const void* to) {
    if (fibers_.self().late_stores > 0) finish_late_store_to(to);
  }
  // All that the thread has begun.
  void happen_async_loads(const HostThread& thread);
  // Whether bulk stores of the thread's first groups have not read their shared memory.
  [[nodiscard]] bool has_unread_stores(const HostThread& thread, std::uint32_t groups) const noexcept;
  // Of a block that is about to end. Only the second half of a store outlives it.
  void end(const HostBlock& block);
  // Of a launch whose last block has ended: who waits for it sees all that it did.
  void end(const HostGrid& grid);

 private:
  void let_late_happen();
  void finish_first_store(HostThread& thread);
  void finish_late_store_to(const void* to);
  void put_off(HostCopy copy);
  void happen(HostCopy copy);
  void touch(const HostThread& thread, const void* shared, std::uint32_t bytes);
  [[nodiscard]] HostCopy take(std::size_t index);

  HostFibers& fibers_;
  HostSharedMemory& shared_;
  WeakMemory& memory_;
  std::vector<HostCopy> copies_;  // in no order
  double probability_ = 0.0;      // that one happens when another thread gets its turn
  std::uint32_t stores_ = 0;      // of words, ever
};

}  // namespace upsweep::runtime
