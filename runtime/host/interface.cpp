// The table of functions of the host device, each for the thread that calls it.
#include "runtime/host/interface.hpp"

#include "runtime/host/run.hpp"

namespace upsweep::runtime {
namespace {

HostRun& run() noexcept {
  return HostRun::current();
}

}  // namespace

HostMoment host_moment() noexcept {
  const HostThread& self = run().fibers.self();
  return {self.position.thread, self.barriers, self.exchanges};
}

const HostInterface& host_interface() noexcept {
  static constexpr HostInterface interface {
    .version = host_interface_version, .bytes = sizeof(HostInterface),
    .position = []() -> const HostPosition* { return &run().fibers.self().position; },
    .block_barrier = [] { run().barriers.block_barrier(); }, .warp_barrier = [] { run().barriers.warp_barrier(); },
    .shuffle = [](void* value, std::uint32_t bytes, HostShuffle kind,
                  std::int32_t argument) { run().barriers.shuffle(value, bytes, kind, argument); },
    .ballot = [](std::uint32_t predicate) { return run().barriers.ballot(predicate != 0); },
    .static_shared = [](std::uint64_t bytes) { return run().shared.static_shared(bytes); },
    .dynamic_shared = [](std::uint64_t bytes) { return run().shared.dynamic_shared(bytes); },
    .load = [](void* to, const void* from, std::uint32_t bytes,
               HostOrder order) { run().words.load(to, from, bytes, order); },
    .store = [](void* to, const void* from, std::uint32_t bytes,
                HostOrder order) { run().words.store(to, from, bytes, order); },
    .add = [](std::uint32_t* to, std::uint32_t value, HostOrder order) { return run().words.add(to, value, order); },
    .add_wide = [](std::uint64_t* to, std::uint64_t value) { return run().words.add(to, value, HostOrder::relaxed); },
    .begin_loads = [](void (*load)(const void*), const void* what,
                      std::uint32_t bytes) { run().loads.begin(load, what, bytes); },
    .await_loads = [] { run().loads.finish(run().fibers.self()); },
    .barrier_before_stores = [] { run().barriers.barrier_before_stores(); },
    .wait = [](std::uint32_t) { run().words.wait(); }, .fence = [] { run().words.fence(); },
    .announce = [] { run().announce(); }, .await_previous = [] { run().await_previous(); },
    .phase_init = [](std::uint64_t* barrier, std::uint32_t arrivals) { run().phases.init(barrier, arrivals); },
    .phase_arrive = [](std::uint64_t* barrier, std::uint32_t expected) { run().phases.arrive(barrier, expected); },
    .phase_wait = [](std::uint64_t* barrier, std::uint32_t parity) { run().phases.wait(barrier, parity); },
    .async_copy = [](void* to, const void* from) { run().copies.copy_async(to, from); },
    .async_arrive = [](std::uint64_t* barrier) { run().copies.arrive_when_copied(barrier); },
    .async_wait = [] { run().copies.await_async_copies(); }, .bulk_fence = [] { run().copies.fence(); },
    .bulk_in = [](void* to, const void* from, std::uint32_t bytes,
                  std::uint64_t* barrier) { run().copies.load(to, from, bytes, barrier); },
    .bulk_out = [](void* to, const void* from, std::uint32_t bytes) { run().copies.store(to, from, bytes); },
    .bulk_commit = [] { run().copies.commit_stores(); },
    .bulk_wait_read = [](std::uint32_t pending) { run().copies.wait_stores_read(pending); },
    .arrive_at_cluster = [] { run().barriers.arrive_at_cluster(); },
    .wait_for_cluster = [] { run().barriers.wait_for_cluster(); },
    .shared_of_rank = [](const void* own, std::uint32_t rank) { return run().shared.shared_of_rank(own, rank); },
    .access = [](const void* at, std::uint64_t bytes,
                 std::uint32_t writes) { run().shared.access(at, bytes, writes != 0); },
    .give_up = [] {
      run().fibers.fail("stopped the launch, because another launch uses the same workspace at the same time");
    },
  };
  return interface;
}

}  // namespace upsweep::runtime
