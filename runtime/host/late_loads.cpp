#include "runtime/host/late_loads.hpp"

#include <algorithm>
#include <cstddef>

namespace upsweep::runtime {
namespace {

constexpr double late_loads = 0.8;    // probability that a thread puts its loads off
constexpr double slow_blocks = 0.75;  // probability that a block with such loads is held up when it publishes

}  // namespace

void HostLateLoads::begin(void (*loads)(const void* what), const void* what, std::uint32_t bytes) {
  HostThread& self = fibers_.self();
  HostBlock& block = *self.block;
  // Blocks of one cluster are ordered by its barriers.
  const bool has_others = block.grid->blocks > block.grid->cluster_blocks;
  if (!fibers_.schedule.late_loads || !fibers_.schedule.weak_memory || !has_others ||
      !fibers_.random.chance(late_loads))
    return loads(what);
  if (block.loads.agent == 0) block.loads.agent = ++blocks_;
  if (self.late_loads.empty()) threads_.push_back(&self);
  const auto* const begin = static_cast<const std::byte*>(what);
  self.late_loads.push_back({.load = loads, .what = {begin, begin + bytes}, .number = block.loads.known + 1});
}

void HostLateLoads::finish_late(HostThread& thread) {
  fibers_.act_as(thread, [&] {
    for (const HostLateLoad& each : thread.late_loads) each.load(each.what.data());
  });
  thread.late_loads.clear();
  std::erase(threads_, &thread);
}

void HostLateLoads::note_barrier(HostBlock& block) {
  if (block.loads.agent == 0) return;
  ++block.loads.known;
  block.threads.front().observer.loads.raise(block.loads.agent, block.loads.known);
}

void HostLateLoads::delay_if_late() {
  const auto is_late = [&](const HostThread* thread) { return thread->block == fibers_.self().block; };
  if (std::none_of(threads_.begin(), threads_.end(), is_late) || !fibers_.random.chance(slow_blocks)) return;
  fibers_.delay();
}

void HostLateLoads::finish_known(const HostBlock& block) {
  const HostView& known = block.threads.front().observer.loads;
  const std::vector<HostThread*> threads = threads_;  // of which some will be gone
  for (HostThread* const thread : threads) {
    if (known[thread->block->loads.agent] >= thread->late_loads.front().number) finish(*thread);
  }
}

void HostLateLoads::join_views(HostThread* first, std::size_t count) const {
  if (blocks_ == 0) return;
  HostView loads;
  for (HostThread* thread = first; thread != first + count; ++thread) loads.join(thread->observer.loads);
  for (HostThread* thread = first; thread != first + count; ++thread) thread->observer.loads = loads;
}

}  // namespace upsweep::runtime
