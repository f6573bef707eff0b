#include "runtime/host/barriers.hpp"

#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace upsweep::runtime {
namespace {

constexpr std::uint32_t lanes_per_warp = 32;
constexpr std::uint32_t most_exchanged_bytes = 64;  // a lane

// The lane whose value a lane gets.
std::uint32_t source_of(std::uint32_t lane, HostState kind, std::int32_t argument) {
  const auto by = static_cast<std::uint32_t>(argument);
  if (kind == HostState::shuffle_up) return by <= lane ? lane - by : lane;
  if (kind == HostState::shuffle_down) return by < lanes_per_warp - lane ? lane + by : lane;
  return by % lanes_per_warp;
}

}  // namespace

void HostBarriers::block_barrier() {
  fibers_.maybe_preempt();
  HostThread& self = fibers_.self();
  HostBlock& block = *self.block;
  HostWarp& warp = block.warp_of(self);
  if (warp.arrived > 0) {
    fibers_.fail(fmt::format("the warp diverged: reached block_barrier while {} lanes of its warp wait at {}",
                             warp.arrived, name(warp.meeting)));
  }
  if (block.exited > 0) {
    fibers_.fail(fmt::format("reached block_barrier, but {} threads of its block have exited", block.exited));
  }
  self.state = HostState::block_barrier;
  ++self.barriers;
  self.exchanges = 0;
  ++warp.at_block_barrier;
  in_flight_.finish_stores(self);
  if (++block.at_barrier < block.grid->threads_per_block) return fibers_.suspend();
  block.at_barrier = 0;
  for (HostWarp& each : block.warps) each.at_block_barrier = 0;
  loads_.note_barrier(block);
  join_views(block.threads.data(), block.threads.size());
  if (std::exchange(block.stores_next, false)) loads_.finish_known(block);
  fibers_.wake_others(block.threads.data(), block.threads.size());
}

void HostBarriers::barrier_before_stores() {
  fibers_.self().block->stores_next = true;
  block_barrier();
}

void HostBarriers::shuffle(void* value, std::uint32_t bytes, HostShuffle kind, std::int32_t argument) {
  static constexpr std::array<HostState, 3> states{HostState::shuffle_up, HostState::shuffle_down, HostState::shuffle};
  if (bytes > most_exchanged_bytes) fibers_.fail(fmt::format("shuffles {} bytes; at most 64 are supported", bytes));
  fibers_.self().value = value;
  fibers_.self().argument = argument;
  meet(states[static_cast<std::size_t>(kind)], bytes);
}

std::uint32_t HostBarriers::ballot(bool predicate) {
  fibers_.self().predicate = predicate ? 1 : 0;
  meet(HostState::ballot, 0);
  return fibers_.self().predicate;
}

void HostBarriers::meet(HostState kind, std::uint32_t bytes) {
  fibers_.maybe_preempt();
  HostThread& self = fibers_.self();
  HostBlock& block = *self.block;
  HostWarp& warp = block.warp_of(self);
  check_meeting(self, warp, kind, bytes);
  self.state = warp.meeting = kind;
  ++self.exchanges;
  in_flight_.finish_stores(self);
  warp.bytes = bytes;
  if (++warp.arrived < lanes_per_warp) return fibers_.suspend();
  warp.arrived = 0;
  HostThread* const lanes = &self - self.position.thread % lanes_per_warp;
  exchange(lanes, kind, bytes);
  fibers_.wake_others(lanes, lanes_per_warp);
}

void HostBarriers::check_meeting(const HostThread& self, const HostWarp& warp, HostState kind,
                                 std::uint32_t bytes) const {
  if (warp.arrived > 0 && (warp.meeting != kind || warp.bytes != bytes)) {
    fibers_.fail(
        fmt::format("the warp diverged: reached {} of {} bytes while {} lanes of its warp wait at {} of {} bytes",
                    name(kind), bytes, warp.arrived, name(warp.meeting), warp.bytes));
  }
  if (warp.at_block_barrier > 0) {
    fibers_.fail(fmt::format("the warp diverged: reached {} while {} lanes of its warp wait at block_barrier",
                             name(kind), warp.at_block_barrier));
  }
  if (warp.exited > 0) {
    fibers_.fail(fmt::format("lane {} reached {}, but {} lanes of its warp have exited",
                             self.position.thread % lanes_per_warp, name(kind), warp.exited));
  }
}

void HostBarriers::exchange(HostThread* lanes, HostState kind, std::uint32_t bytes) const {
  if (kind == HostState::cluster_arrive || kind == HostState::cluster_wait) return;
  if (kind == HostState::warp_barrier) {
    join_views(lanes, lanes_per_warp);
  } else if (kind == HostState::ballot) {
    std::uint32_t all = 0;
    for (std::uint32_t lane = 0; lane < lanes_per_warp; ++lane) all |= lanes[lane].predicate << lane;
    for (std::uint32_t lane = 0; lane < lanes_per_warp; ++lane) lanes[lane].predicate = all;
  } else {
    std::array<std::byte, std::size_t{lanes_per_warp} * most_exchanged_bytes> values;
    for (std::uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
      std::memcpy(&values[std::size_t{lane} * bytes], lanes[lane].value, bytes);
    }
    for (std::uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
      const std::uint32_t source = source_of(lane, kind, lanes[lane].argument);
      std::memcpy(lanes[lane].value, &values[std::size_t{source} * bytes], bytes);
    }
  }
}

// What each has seen, all have seen.
void HostBarriers::join_views(HostThread* first, std::size_t count) const {
  if (is_watched(*first)) {
    HostKnowledge known;
    for (HostThread* thread = first; thread != first + count; ++thread) {
      thread->clock.release(agent_of(*thread));
      known.join(thread->clock.known);
    }
    for (HostThread* thread = first; thread != first + count; ++thread) thread->clock.known = known;
  }
  if (!fibers_.schedule.weak_memory) return;
  HostView joined = first->observer.view;
  HostView before = joined;
  for (HostThread* thread = first; thread != first + count; ++thread) {
    if (thread->observer.view.same_as(before)) continue;
    before = thread->observer.view;
    joined.join(before);
  }
  for (HostThread* thread = first; thread != first + count; ++thread) thread->observer.view = joined;
  loads_.join_views(first, count);
}

// ---- clusters

void HostBarriers::arrive_at_cluster() {
  if (fibers_.self().at_cluster) fibers_.fail("reached cluster_arrive twice without a cluster_wait in between");
  meet(HostState::cluster_arrive, 0);
  HostThread& self = fibers_.self();
  HostCluster& cluster = cluster_of(*self.block);
  if (cluster.exited > 0) {
    fibers_.fail(fmt::format("reached cluster_arrive, but {} threads of its cluster have exited", cluster.exited));
  }
  self.at_cluster = true;
  self.cluster_barrier = cluster.opened;
  if (fibers_.schedule.weak_memory) cluster.gathered.join(self.observer.view);
  in_flight_.finish_stores(self);
  if (is_watched(self)) {
    self.clock.release(agent_of(self));
    cluster.gathered_known.join(self.clock.known);
  }
  const HostGrid& grid = *self.block->grid;
  if (++cluster.arrived < grid.cluster_blocks * grid.threads_per_block) return;
  cluster.arrived = 0;
  ++cluster.opened;
  cluster.ended = cluster.gathered;
  cluster.ended_known = cluster.gathered_known;
  fibers_.note_progress();
  for (HostThread* thread : cluster.waiting) fibers_.wake(*thread);
  cluster.waiting.clear();
}

void HostBarriers::wait_for_cluster() {
  if (!fibers_.self().at_cluster) fibers_.fail("reached cluster_wait without a cluster_arrive before it");
  meet(HostState::cluster_wait, 0);
  HostThread& self = fibers_.self();
  HostCluster& cluster = cluster_of(*self.block);
  if (cluster.opened == self.cluster_barrier) {
    self.state = HostState::cluster_wait;
    cluster.waiting.push_back(&self);
    fibers_.suspend();
  }
  self.at_cluster = false;
  if (fibers_.schedule.weak_memory) self.observer.view.join(cluster.ended);
  if (is_watched(self)) self.clock.known.join(cluster.ended_known);
}

void HostBarriers::check_exit() {
  HostCluster& cluster = cluster_of(*fibers_.self().block);
  if (fibers_.self().at_cluster) fibers_.fail("exited between cluster_arrive and cluster_wait");
  if (cluster.arrived > 0) {
    fibers_.fail(fmt::format("exited while {} threads of its cluster have arrived at cluster_arrive", cluster.arrived));
  }
  ++cluster.exited;
}

}  // namespace upsweep::runtime
