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
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/host/run.hpp"

namespace upsweep::runtime {
namespace {

constexpr double late_loads = 0.8;    // probability that a thread puts its loads off
constexpr double slow_blocks = 0.75;  // probability that a block with such loads is held up when it publishes

}  // namespace

void HostRun::begin_loads(void (*loads)(const void* what), const void* what, std::uint32_t bytes) {
  HostThread& self = *thread_;
  HostBlock& block = *self.block;
  // Blocks of one cluster are ordered by its barriers.
  const bool has_others = block.grid->blocks > block.grid->cluster_blocks;
  if (!schedule_.late_loads || !schedule_.weak_memory || !has_others || !random_.chance(late_loads)) return loads(what);
  if (block.loads.agent == 0) block.loads.agent = ++loading_blocks_;
  if (self.late_loads.empty()) loading_.push_back(&self);
  const auto* const begin = static_cast<const std::byte*>(what);
  self.late_loads.push_back({.load = loads, .what = {begin, begin + bytes}, .number = block.loads.known + 1});
}

// As the thread that began them, whoever runs now.
void HostRun::finish_loads(HostThread& thread) {
  if (thread.late_loads.empty()) return;
  HostThread* const running = std::exchange(thread_, &thread);
  for (const HostLateLoads& each : thread.late_loads) each.load(each.what.data());
  thread_ = running;
  thread.late_loads.clear();
  std::erase(loading_, &thread);
}

void HostRun::barrier_before_stores() {
  thread_->block->stores_next = true;
  block_barrier();
}

// At a barrier of the block: what its threads have begun to load comes before what any of them does next.
void HostRun::note_loads(HostBlock& block) {
  if (block.loads.agent == 0) return;
  ++block.loads.known;
  block.threads.front().observer.loads.raise(block.loads.agent, block.loads.known);
}

// A thread that publishes while loads of its block are late is held up: the block waits for it at the next barrier.
void HostRun::delay_loads() {
  const auto is_late = [&](const HostThread* thread) { return thread->block == thread_->block; };
  if (std::none_of(loading_.begin(), loading_.end(), is_late) || !random_.chance(slow_blocks)) return;
  turns_.delay(*thread_);
  yield();
}

// Of which the block knows that they come before what it does next; all its threads know the same.
void HostRun::finish_known_loads(const HostBlock& block) {
  const HostView& known = block.threads.front().observer.loads;
  const std::vector<HostThread*> threads = loading_;
  for (HostThread* const thread : threads) {
    if (known[thread->block->loads.agent] >= thread->late_loads.front().number) finish_loads(*thread);
  }
}

void HostRun::check_loads_awaited(const HostThread& thread) {
  if (!thread.late_loads.empty()) fail(thread, "exited before its loads were awaited: call await_loads");
}

}  // namespace upsweep::runtime
