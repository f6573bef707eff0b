// Launches of one stream that run at the same time, as programmatic dependent launch allows it: the next one's blocks
// may start once all blocks of the one before let them or have ended, and only a thread that waits for the kernel
// before sees what that one did. What a thread stores meanwhile reaches memory when it fences it, or at any time.
#include <utility>

#include "runtime/host/run.hpp"

namespace upsweep::runtime {
namespace {

constexpr double waits_for_the_end = 0.2;  // probability that a launch that might start early does not
constexpr double late_store = 0.5;         // probability

}  // namespace

void HostRun::start_grid() {
  HostGrid& grid = *grids_[next_grid_++];
  capacity_ += grid.threads();
  turns_.make_room(capacity_);
  grid.stacks = stacks_.take(grid.threads());
  starts_early_ = !random_.chance(waits_for_the_end);
  for (std::size_t slot = 0; slot < grid.resident.size(); slot += grid.cluster_blocks) start_cluster(grid, slot);
}

bool HostRun::may_start_grid() const {
  if (next_grid_ == grids_.size()) return false;
  if (next_grid_ == 0) return true;
  const HostGrid& before = *grids_[next_grid_ - 1];
  return before.ended || (starts_early_ && grids_[next_grid_]->launch.launch().dependent && before.all_announced());
}

// Of which the last block has ended: whoever waits for it sees all that it did.
void HostRun::end_grid(HostGrid& grid) {
  for (std::size_t index = copies_.size(); index-- > 0;) {
    if (copies_[index].thread->block->grid == &grid) happen(copies_.take(index));
  }
  grid.ended = true;
  capacity_ -= grid.threads();
  stacks_.give_back(std::exchange(grid.stacks, {}));
  for (HostThread* thread : grid.waiting) wake(*thread);
  grid.waiting.clear();
}

void HostRun::announce() {
  maybe_preempt();
  HostGrid& grid = *thread_->block->grid;
  if (schedule_.weak_memory) grid.announced_view.join(thread_->fenced_view);
  grid.announce(*thread_->block);
  maybe_preempt();
}

void HostRun::await_previous() {
  maybe_preempt();
  HostThread& self = *thread_;
  HostGrid* const before = self.block->grid->previous;
  if (before == nullptr) return;
  if (!before->ended) {
    self.state = HostState::wait_previous_kernel;
    before->waiting.push_back(&self);
    suspend();
  }
  if (schedule_.weak_memory) self.observer.view.join(before->final_view);
}

// What a thread of a launch knows when it starts.
HostView HostRun::initial_view(const HostGrid& grid) {
  if (grid.previous == nullptr) return {};
  return grid.previous->ended ? grid.previous->final_view : grid.previous->announced_view;
}

// ---- stores that have not reached memory

bool HostRun::puts_off_store() {
  return grids_.size() > 1 && schedule_.weak_memory && random_.chance(late_store);
}

void HostRun::put_off_store(void* to, const void* from, std::uint32_t bytes) {
  const auto* const data = static_cast<const std::byte*>(from);
  ++thread_->late_stores;
  put_off({.kind = HostCopy::Kind::word_store,
           .thread = thread_,
           .to = static_cast<std::byte*>(to),
           .bytes = bytes,
           .number = ++stores_,
           .data = {data, data + bytes}});
}

// Those of a thread, in their order: it has fenced, or goes on to what may not come before them.
void HostRun::finish_stores(HostThread& thread) {
  while (thread.late_stores > 0) {
    std::size_t first = copies_.size();
    for (std::size_t index = 0; index < copies_.size(); ++index) {
      const HostCopy& copy = copies_[index];
      if (copy.kind != HostCopy::Kind::word_store || copy.thread != &thread) continue;
      if (first == copies_.size() || copy.number < copies_[first].number) first = index;
    }
    happen(copies_.take(first));
  }
}

// A thread sees its own stores, and they stay in order.
void HostRun::finish_store_to(const void* to) {
  if (thread_->late_stores == 0) return;
  for (std::size_t index = 0; index < copies_.size(); ++index) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::word_store && copy.thread == thread_ && copy.to == to) {
      return happen(copies_.take(index));
    }
  }
}

void HostRun::fence() {
  maybe_preempt();
  finish_stores(*thread_);
  finish_loads(*thread_);
  if (schedule_.weak_memory) thread_->fenced_view = thread_->observer.view;
  thread_->observer.fence();
  maybe_preempt();
}

}  // namespace upsweep::runtime
