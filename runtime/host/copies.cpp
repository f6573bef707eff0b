// Copies between global and shared memory that go on by themselves. In a tame schedule they happen as they are begun;
// late ones happen in any order, at any time that another thread gets its turn, and where nothing else can.
#include "runtime/host/copies.hpp"

#include <cstring>

#include <fmt/format.h>

#include "runtime/host/run.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::uint32_t granule = HostBulkView::granule;
constexpr std::size_t most_in_flight = 4096;  // copies; more make progress at every turn
constexpr std::uint32_t paces = 7;            // at which late copies happen: one in 2, 4, ..., 128 turns

bool in_granules(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % granule == 0;
}

}  // namespace

// ---- beginning them

void HostRun::check_copy(const char* what, const void* shared, const void* global, std::uint32_t bytes) const {
  if (bytes == 0 || bytes % granule != 0 || !in_granules(shared) || !in_granules(global)) {
    fail(
        fmt::format("{} copies {} bytes, and modulo 16 the shared address is {} and the global address is {}: use a "
                    "size above 0 that is a multiple of 16, and addresses that are multiples of 16",
                    what, bytes, reinterpret_cast<std::uintptr_t>(shared) % granule,
                    reinterpret_cast<std::uintptr_t>(global) % granule));
  }
  if (thread_->block->shared_with(shared, bytes) == nullptr) {
    fail(fmt::format("{} copies {} bytes, but they do not all lie in the shared memory of its block", what, bytes));
  }
  if (thread_->block->shared_with(global, 1) != nullptr) {
    fail(fmt::format("{} copies {} bytes from shared memory to shared memory: use global memory on one side", what,
                     bytes));
  }
}

void HostRun::async_copy(void* to_shared, const void* from_global) {
  maybe_preempt();
  check_copy("copy_async", to_shared, from_global, granule);
  thread_->copies.async_bytes += granule;
  watch_copy(to_shared, granule, true,
             {agents_of(*thread_).copies_of(agent_of(*thread_)), ++thread_->copies.async_loads});
  begin({.kind = HostCopy::Kind::async_load,
         .to = static_cast<std::byte*>(to_shared),
         .from = static_cast<const std::byte*>(from_global),
         .bytes = granule});
}

void HostRun::async_arrive(std::uint64_t* barrier) {
  maybe_preempt();
  phase_barrier(*thread_, barrier).begin_load(std::exchange(thread_->copies.async_bytes, 0));
  begin({.kind = HostCopy::Kind::arrival,
         .barrier = barrier,
         .moment = {agents_of(*thread_).copies_of(agent_of(*thread_)), thread_->copies.async_loads}});
}

void HostRun::bulk_fence() {
  maybe_preempt();
  ++cluster_of(*thread_->block).fences;
  if (is_watched(*thread_)) thread_->clock.fence(agent_of(*thread_));
  maybe_preempt();
}

void HostRun::bulk_in(void* to_shared, const void* from_global, std::uint32_t bytes, std::uint64_t* barrier) {
  maybe_preempt();
  check_copy("bulk_load", to_shared, from_global, bytes);
  HostPhaseBarrier& found = phase_barrier(*thread_, barrier);
  if (found.fences == cluster_of(*thread_->block).fences) {
    fail(
        "bulk_load uses an mbarrier whose initialisation may not be visible to bulk copies: call fence_for_bulk_copies "
        "after init_barrier");
  }
  found.begin_load(bytes);
  const auto index = static_cast<std::size_t>(&found - thread_->block->phase_barriers.data());
  const HostAccesses::Moment moment{agents_of(*thread_).loads(thread_->position.rank, index), ++found.loads};
  watch_copy(to_shared, bytes, true, moment);
  begin({.kind = HostCopy::Kind::bulk_load,
         .to = static_cast<std::byte*>(to_shared),
         .from = static_cast<const std::byte*>(from_global),
         .bytes = bytes,
         .barrier = barrier,
         .moment = moment});
}

void HostRun::bulk_out(void* to_global, const void* from_shared, std::uint32_t bytes) {
  maybe_preempt();
  check_copy("bulk_store", from_shared, to_global, bytes);
  const SharedBytes& shared = *thread_->block->shared_with(from_shared, bytes);
  if (shared.bulk.misses(shared.data(), shared.offset_of(from_shared), bytes, cluster_of(*thread_->block).fences)) {
    fail(
        fmt::format("bulk_store copies {} bytes of shared memory that were written after the last "
                    "fence_for_bulk_copies, so it may copy old values: call fence_for_bulk_copies before bulk_store",
                    bytes));
  }
  HostThreadCopies& own = thread_->copies;
  own.stored_until = own.groups + 1;
  watch_copy(from_shared, bytes, false, {agents_of(*thread_).stores_of(agent_of(*thread_)), own.groups + 1});
  begin({.kind = HostCopy::Kind::store_read,
         .to = static_cast<std::byte*>(to_global),
         .from = static_cast<const std::byte*>(from_shared),
         .bytes = bytes,
         .group = own.groups});
}

void HostRun::begin(HostCopy copy) {
  copy.thread = thread_;
  schedule_.late_copies ? put_off(std::move(copy)) : happen(std::move(copy));
  maybe_preempt();
}

void HostRun::put_off(HostCopy copy) {
  if (copy_probability_ == 0.0) copy_probability_ = 0.5 / (1u << random_.below(paces));
  // Whoever reads the destination too early reads garbage.
  if (copy.kind == HostCopy::Kind::bulk_load || copy.kind == HostCopy::Kind::async_load) spoil(copy.to, copy.bytes);
  copies_.add(std::move(copy));
}

// ---- happening

void HostRun::let_copies_happen() {
  while (!copies_.empty() && (turns_.empty() || copies_.size() > most_in_flight || random_.chance(copy_probability_))) {
    happen(copies_.take(random_.below(copies_.size())));
  }
}

void HostRun::happen(HostCopy copy) {
  polls_ = 0;
  HostThread& thread = *copy.thread;
  switch (copy.kind) {
    case HostCopy::Kind::bulk_load: {
      std::memcpy(copy.to, copy.from, copy.bytes);
      touch(thread, copy.to, copy.bytes);
      HostPhaseBarrier& barrier = phase_barrier(thread, copy.barrier);
      if (is_watched(thread)) barrier.arrived_known.seen.raise(copy.moment.agent, copy.moment.time);
      count_bytes(thread, barrier, -std::int64_t{copy.bytes});
      maybe_end_phase(barrier);
      break;
    }
    case HostCopy::Kind::async_load:
      std::memcpy(copy.to, copy.from, copy.bytes);
      break;
    case HostCopy::Kind::arrival:
      happen_async_loads(thread);
      if (is_watched(thread)) {
        HostKnowledge& arrived = phase_barrier(thread, copy.barrier).arrived_known;
        arrived.seen.raise(copy.moment.agent, copy.moment.time);
      }
      count_arrival(thread, phase_barrier(thread, copy.barrier));
      break;
    case HostCopy::Kind::store_read:
      touch(thread, copy.from, copy.bytes);
      if (!schedule_.late_copies) {
        std::memcpy(copy.to, copy.from, copy.bytes);
        break;
      }
      copy.data.assign(copy.from, copy.from + copy.bytes);
      copy.kind = HostCopy::Kind::store_write;
      copies_.add(std::move(copy));
      if (thread.state == HostState::wait_bulk_stores_read) wake(thread);
      break;
    case HostCopy::Kind::store_write:
      std::memcpy(copy.to, copy.data.data(), copy.bytes);
      break;
    case HostCopy::Kind::word_store:
      --thread.late_stores;
      memory_.store(thread.observer, copy.to, copy.data.data(), copy.bytes, false);
  }
}

void HostRun::touch(const HostThread& thread, const void* shared, std::uint32_t bytes) {
  SharedBytes& all = *thread.block->shared_with(shared, bytes);
  all.bulk.touch(all.data(), all.size(), all.offset_of(shared), bytes, cluster_of(*thread.block).fences);
}

// Those that the thread began after an arrival may as well come in before it.
void HostRun::happen_async_loads(const HostThread& thread) {
  for (std::size_t index = copies_.size(); index-- > 0;) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::async_load && copy.thread == &thread) happen(copies_.take(index));
  }
}

// ---- waiting for them

void HostRun::bulk_commit() {
  maybe_preempt();
  ++thread_->copies.groups;
  maybe_preempt();
}

bool HostRun::has_unread_stores(const HostThread& thread, std::uint32_t groups) const {
  for (std::size_t index = 0; index < copies_.size(); ++index) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::store_read && copy.thread == &thread && copy.group < groups) return true;
  }
  return false;
}

void HostRun::bulk_wait_read(std::uint32_t pending) {
  maybe_preempt();
  HostThread& self = *thread_;
  if (self.copies.groups <= pending) return;
  const std::uint32_t groups = self.copies.groups - pending;
  while (has_unread_stores(self, groups)) {
    self.state = HostState::wait_bulk_stores_read;
    suspend();
  }
  self.copies.groups_read = std::max(self.copies.groups_read, groups);
  if (is_watched(self)) self.clock.known.seen.raise(agents_of(self).stores_of(agent_of(self)), self.copies.groups_read);
}

// Of a thread that is about to end: nobody else can wait for its stores, nor for loads that no arrival stands for.
void HostRun::check_waited_for(const HostThread& thread) const {
  const HostThreadCopies& own = thread.copies;
  if (own.stored_until > own.groups_read) {
    fail(fmt::format("exited before its bulk stores had read shared memory: call {} before the exit",
                     own.stored_until > own.groups ? "commit_bulk_stores and then wait_bulk_stores_read<0>"
                                                   : "wait_bulk_stores_read<0>"));
  }
  if (own.async_bytes > 0) {
    fail(
        fmt::format("exited while {} bytes of asynchronous copies are pending: call arrive_when_copied, and wait for "
                    "that phase of the mbarrier",
                    own.async_bytes));
  }
}

// Of a block that is about to end. Only the second half of a store outlives it.
void HostRun::end_copies(const HostBlock& block) {
  for (std::size_t index = copies_.size(); index-- > 0;) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::store_write || copy.thread->block != &block) continue;
    if (copy.kind != HostCopy::Kind::arrival) {
      fail(*copy.thread,
           fmt::format("exited while {} bytes of bulk loads are pending that no phase of an mbarrier expects",
                       copy.bytes));
    }
    happen(copies_.take(index));
  }
}

}  // namespace upsweep::runtime
