// Loads into registers that happen late. On a GPU a load that nothing waits for may be under way for long: past
// barriers, and past what its block publishes. Only a store that comes after it may not be seen by it.
//
// So a load that was put off happens when its thread needs the value, fences or releases, or else when a block that
// knows that the load comes first is about to store (barrier_before_stores). A block knows of another one's loads by
// barriers within blocks, and by fences, releases and acquires around the words that blocks exchange (weak_memory.hpp).
// Where a fence is missing, the block does not know, stores, and the load reads what was stored.
//
// Only the barriers of blocks and warps and the words between blocks hand this knowledge on. Kernels that use phase
// barriers keep their items in shared memory and put no load off.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/host/fibers.hpp"

namespace upsweep::runtime {

class HostLateLoads {
 public:
  explicit HostLateLoads(HostFibers& fibers) : fibers_(fibers) {}

  // Of the thread that runs.
  void begin(void (*loads)(const void* what), const void* what, std::uint32_t bytes);
  // As the thread that began them, whoever runs now.
  void finish(HostThread& thread) {
    if (!thread.late_loads.empty()) finish_late(thread);
  }
  // At a barrier of the block: what its threads have begun to load comes before what any of them does next.
  void note_barrier(HostBlock& block);
  // What each of these threads knows, all know.
  void join_views(HostThread* first, std::size_t count) const;
  // A thread that publishes while loads of its block are late is held up: the block waits for it at the next barrier.
  void delay_publisher() {
    if (!threads_.empty()) delay_if_late();
  }
  // Of which the block knows that they come before what it does next; all its threads know the same.
  void finish_known(const HostBlock& block);

 private:
  void finish_late(HostThread& thread);
  void delay_if_late();

  HostFibers& fibers_;
  std::uint32_t blocks_ = 0;          // that ever put loads off
  std::vector<HostThread*> threads_;  // with late loads
};

}  // namespace upsweep::runtime
