#include "runtime/host/copies.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime/host/phase_barrier.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::uint32_t granule = HostBulkView::granule;

bool in_granules(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % granule == 0;
}

}  // namespace

void HostCopies::check_copy(const char* what, const void* shared, const void* global, std::uint32_t bytes) const {
  if (bytes == 0 || bytes % granule != 0 || !in_granules(shared) || !in_granules(global)) {
    fibers_.fail(
        fmt::format("{} copies {} bytes, and modulo 16 the shared address is {} and the global address is {}: use a "
                    "size above 0 that is a multiple of 16, and addresses that are multiples of 16",
                    what, bytes, reinterpret_cast<std::uintptr_t>(shared) % granule,
                    reinterpret_cast<std::uintptr_t>(global) % granule));
  }
  if (fibers_.self().block->shared_with(shared, bytes) == nullptr) {
    fibers_.fail(
        fmt::format("{} copies {} bytes, but they do not all lie in the shared memory of its block", what, bytes));
  }
  if (fibers_.self().block->shared_with(global, 1) != nullptr) {
    fibers_.fail(fmt::format("{} copies {} bytes from shared memory to shared memory: use global memory on one side",
                             what, bytes));
  }
}

void HostCopies::copy_async(void* to_shared, const void* from_global) {
  fibers_.maybe_preempt();
  check_copy("copy_async", to_shared, from_global, granule);
  fibers_.self().copies.async_bytes += granule;
  shared_.watch_copy(
      to_shared, granule, true,
      {agents_of(fibers_.self()).copies_of(agent_of(fibers_.self())), ++fibers_.self().copies.async_loads});
  in_flight_.begin({.kind = HostCopy::Kind::async_load,
                    .to = static_cast<std::byte*>(to_shared),
                    .from = static_cast<const std::byte*>(from_global),
                    .bytes = granule});
}

void HostCopies::arrive_when_copied(std::uint64_t* barrier) {
  fibers_.maybe_preempt();
  phase_barrier(fibers_.self(), barrier).begin_load(std::exchange(fibers_.self().copies.async_bytes, 0));
  in_flight_.begin(
      {.kind = HostCopy::Kind::arrival,
       .barrier = barrier,
       .moment = {agents_of(fibers_.self()).copies_of(agent_of(fibers_.self())), fibers_.self().copies.async_loads}});
}

void HostCopies::await_async_copies() {
  fibers_.maybe_preempt();
  HostThread& self = fibers_.self();
  in_flight_.happen_async_loads(self);
  self.copies.async_bytes = 0;
  if (is_watched(self)) self.clock.known.seen.raise(agents_of(self).copies_of(agent_of(self)), self.copies.async_loads);
}

void HostCopies::fence() {
  fibers_.maybe_preempt();
  ++cluster_of(*fibers_.self().block).fences;
  if (is_watched(fibers_.self())) fibers_.self().clock.fence(agent_of(fibers_.self()));
  fibers_.maybe_preempt();
}

void HostCopies::load(void* to_shared, const void* from_global, std::uint32_t bytes, std::uint64_t* barrier) {
  fibers_.maybe_preempt();
  check_copy("bulk_load", to_shared, from_global, bytes);
  HostPhaseBarrier& found = phase_barrier(fibers_.self(), barrier);
  if (found.fences == cluster_of(*fibers_.self().block).fences) {
    fibers_.fail(
        "bulk_load uses an mbarrier whose initialisation may not be visible to bulk copies: call fence_for_bulk_copies "
        "after init_barrier");
  }
  found.begin_load(bytes);
  const auto index = static_cast<std::size_t>(&found - fibers_.self().block->phase_barriers.data());
  const HostAccesses::Moment moment{agents_of(fibers_.self()).loads(fibers_.self().position.rank, index),
                                    ++found.loads};
  shared_.watch_copy(to_shared, bytes, true, moment);
  in_flight_.begin({.kind = HostCopy::Kind::bulk_load,
                    .to = static_cast<std::byte*>(to_shared),
                    .from = static_cast<const std::byte*>(from_global),
                    .bytes = bytes,
                    .barrier = barrier,
                    .moment = moment});
}

void HostCopies::store(void* to_global, const void* from_shared, std::uint32_t bytes) {
  fibers_.maybe_preempt();
  check_copy("bulk_store", from_shared, to_global, bytes);
  const SharedBytes& shared = *fibers_.self().block->shared_with(from_shared, bytes);
  if (shared.bulk.misses(shared.data(), shared.offset_of(from_shared), bytes,
                         cluster_of(*fibers_.self().block).fences)) {
    fibers_.fail(
        fmt::format("bulk_store copies {} bytes of shared memory that were written after the last "
                    "fence_for_bulk_copies, so it may copy old values: call fence_for_bulk_copies before bulk_store",
                    bytes));
  }
  HostThreadCopies& own = fibers_.self().copies;
  own.stored_until = own.groups + 1;
  shared_.watch_copy(from_shared, bytes, false,
                     {agents_of(fibers_.self()).stores_of(agent_of(fibers_.self())), own.groups + 1});
  in_flight_.begin({.kind = HostCopy::Kind::store_read,
                    .to = static_cast<std::byte*>(to_global),
                    .from = static_cast<const std::byte*>(from_shared),
                    .bytes = bytes,
                    .group = own.groups});
}

void HostCopies::commit_stores() {
  fibers_.maybe_preempt();
  ++fibers_.self().copies.groups;
  fibers_.maybe_preempt();
}

void HostCopies::wait_stores_read(std::uint32_t pending) {
  fibers_.maybe_preempt();
  HostThread& self = fibers_.self();
  if (self.copies.groups <= pending) return;
  const std::uint32_t groups = self.copies.groups - pending;
  while (in_flight_.has_unread_stores(self, groups)) {
    self.state = HostState::wait_bulk_stores_read;
    fibers_.suspend();
  }
  self.copies.groups_read = std::max(self.copies.groups_read, groups);
  if (is_watched(self)) self.clock.known.seen.raise(agents_of(self).stores_of(agent_of(self)), self.copies.groups_read);
}

void HostCopies::check_waited_for() const {
  const HostThreadCopies& own = fibers_.self().copies;
  if (own.stored_until > own.groups_read) {
    fibers_.fail(fmt::format("exited before its bulk stores had read shared memory: call {} before the exit",
                             own.stored_until > own.groups ? "commit_bulk_stores and then wait_bulk_stores_read<0>"
                                                           : "wait_bulk_stores_read<0>"));
  }
  if (own.async_bytes > 0) {
    fibers_.fail(
        fmt::format("exited while {} bytes of asynchronous copies are pending: call arrive_when_copied, and wait for "
                    "that phase of the mbarrier, or call await_async_copies",
                    own.async_bytes));
  }
}

}  // namespace upsweep::runtime
