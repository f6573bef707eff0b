// What the threads of a launch do together: barriers, exchanges, words between blocks.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "runtime/host/run.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::uint32_t lanes_per_warp = 32;
constexpr std::uint32_t most_exchanged_bytes = 64;      // a lane
constexpr std::uint64_t most_static_bytes = 48 * 1024;  // as CUDA allows
constexpr std::uint32_t loads_per_turn = 16;
constexpr std::uint64_t repeated_poll = 32;  // weights of polls: a word loaded again, and another one
constexpr std::uint64_t other_poll = 1;

void copy_word(void* to, const void* from, std::uint32_t bytes) {
  switch (bytes) {
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    default:
      std::memcpy(to, from, 16);
  }
}

// The lane whose value a lane gets.
std::uint32_t source_of(std::uint32_t lane, HostState kind, std::int32_t argument) {
  const auto by = static_cast<std::uint32_t>(argument);
  if (kind == HostState::shuffle_up) return by <= lane ? lane - by : lane;
  if (kind == HostState::shuffle_down) return by < lanes_per_warp - lane ? lane + by : lane;
  return by % lanes_per_warp;
}

}  // namespace

// ---- meetings

void HostRun::block_barrier() {
  maybe_preempt();
  HostThread& self = *thread_;
  HostBlock& block = *self.block;
  HostWarp& warp = block.warp_of(self);
  if (warp.arrived > 0) {
    fail(fmt::format("the warp diverged: reached block_barrier while {} lanes of its warp wait at {}", warp.arrived,
                     name(warp.meeting)));
  }
  if (block.exited > 0) {
    fail(fmt::format("reached block_barrier, but {} threads of its block have exited", block.exited));
  }
  self.state = HostState::block_barrier;
  ++warp.at_block_barrier;
  finish_stores(self);
  if (++block.at_barrier < block.grid->threads_per_block) return suspend();
  block.at_barrier = 0;
  for (HostWarp& each : block.warps) each.at_block_barrier = 0;
  note_loads(block);
  join_views(block.threads.data(), block.threads.size());
  if (std::exchange(block.stores_next, false)) finish_known_loads(block);
  wake(block.threads.data(), block.threads.size());
}

void HostRun::warp_barrier() {
  meet(HostState::warp_barrier, 0);
}

void HostRun::shuffle(void* value, std::uint32_t bytes, HostShuffle kind, std::int32_t argument) {
  static constexpr std::array<HostState, 3> states{HostState::shuffle_up, HostState::shuffle_down, HostState::shuffle};
  if (bytes > most_exchanged_bytes) fail(fmt::format("shuffles {} bytes; at most 64 are supported", bytes));
  thread_->value = value;
  thread_->argument = argument;
  meet(states[static_cast<std::size_t>(kind)], bytes);
}

std::uint32_t HostRun::ballot(bool predicate) {
  thread_->predicate = predicate ? 1 : 0;
  meet(HostState::ballot, 0);
  return thread_->predicate;
}

void HostRun::meet(HostState kind, std::uint32_t bytes) {
  maybe_preempt();
  HostThread& self = *thread_;
  HostBlock& block = *self.block;
  HostWarp& warp = block.warp_of(self);
  check_meeting(self, warp, kind, bytes);
  self.state = warp.meeting = kind;
  finish_stores(self);
  warp.bytes = bytes;
  if (++warp.arrived < lanes_per_warp) return suspend();
  warp.arrived = 0;
  HostThread* const lanes = &self - self.position.thread % lanes_per_warp;
  exchange(lanes, kind, bytes);
  wake(lanes, lanes_per_warp);
}

void HostRun::check_meeting(const HostThread& self, const HostWarp& warp, HostState kind, std::uint32_t bytes) {
  if (warp.arrived > 0 && (warp.meeting != kind || warp.bytes != bytes)) {
    fail(fmt::format("the warp diverged: reached {} of {} bytes while {} lanes of its warp wait at {} of {} bytes",
                     name(kind), bytes, warp.arrived, name(warp.meeting), warp.bytes));
  }
  if (warp.at_block_barrier > 0) {
    fail(fmt::format("the warp diverged: reached {} while {} lanes of its warp wait at block_barrier", name(kind),
                     warp.at_block_barrier));
  }
  if (warp.exited > 0) {
    fail(fmt::format("lane {} reached {}, but {} lanes of its warp have exited", self.position.thread % lanes_per_warp,
                     name(kind), warp.exited));
  }
}

void HostRun::exchange(HostThread* lanes, HostState kind, std::uint32_t bytes) {
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

// The thread that came last goes on; the others may run after it.
void HostRun::wake(HostThread* first, std::size_t count) {
  for (HostThread* thread = first; thread != first + count; ++thread) {
    thread->state = HostState::runnable;
    if (thread != thread_) turns_.push(*thread);
  }
}

// What each has seen, all have seen.
void HostRun::join_views(HostThread* first, std::size_t count) {
  if (is_watched(*first)) join_knowledge(first, count);
  if (!schedule_.weak_memory) return;
  HostView joined = first->observer.view;
  HostView before = joined;
  for (HostThread* thread = first; thread != first + count; ++thread) {
    if (thread->observer.view.same_as(before)) continue;
    before = thread->observer.view;
    joined.join(before);
  }
  for (HostThread* thread = first; thread != first + count; ++thread) thread->observer.view = joined;
  if (loading_blocks_ == 0) return;
  HostView loads;
  for (HostThread* thread = first; thread != first + count; ++thread) loads.join(thread->observer.loads);
  for (HostThread* thread = first; thread != first + count; ++thread) thread->observer.loads = loads;
}

// ---- shared memory

void* HostRun::static_shared(std::uint64_t bytes) {
  HostBlock& block = *thread_->block;
  if (bytes > most_static_bytes) {
    fail(fmt::format("asks for {} bytes of static shared memory; at most {} are allowed", bytes, most_static_bytes));
  }
  if (!block.static_shared_ready) ready_static_shared(block, static_cast<std::size_t>(bytes));
  if (block.static_shared->size() != bytes) {
    fail(fmt::format("asks for {} bytes of static shared memory, but another thread asked for {} bytes", bytes,
                     block.static_shared->size()));
  }
  return block.static_shared->data();
}

void HostRun::ready_static_shared(HostBlock& block, std::size_t bytes) {
  if (!block.static_shared) block.static_shared = std::make_unique<SharedBytes>(bytes);
  make_ready(block, *block.static_shared);
  block.static_shared_ready = true;
}

void* HostRun::dynamic_shared(std::uint64_t bytes) {
  const SharedBytes* const shared = thread_->block->dynamic_shared.get();
  const std::size_t given = shared == nullptr ? 0 : shared->size();
  if (bytes > given) {
    fail(fmt::format("uses {} bytes of dynamic shared memory, but the launch has {} bytes", bytes, given));
  }
  return shared == nullptr ? nullptr : shared->data();
}

// ---- words between blocks

void HostRun::count_poll(std::uint64_t weight) {
  polls_ += weight;
  if (polls_ / repeated_poll > schedule_.poll_limit) {
    fail("no progress: threads poll words that no thread writes; " + where_all_stand());
  }
}

void HostRun::load(void* to, const void* from, std::uint32_t bytes, HostOrder order) {
  maybe_preempt();
  HostThread& self = *thread_;
  const bool again = self.last_load == from;
  self.last_load = from;
  count_poll(again ? repeated_poll : other_poll);
  if (again || ++self.loads >= loads_per_turn) yield();
  finish_store_to(from);
  if (schedule_.weak_memory) {
    memory_.load(self.observer, random_, to, from, bytes, order == HostOrder::acquire);
  } else {
    copy_word(to, from, bytes);
  }
}

void HostRun::store(void* to, const void* from, std::uint32_t bytes, HostOrder order) {
  maybe_preempt();
  polls_ = 0;
  if (order == HostOrder::release) {
    finish_stores(*thread_);
    finish_loads(*thread_);
  }
  finish_store_to(to);
  if (order == HostOrder::relaxed && puts_off_store()) {
    put_off_store(to, from, bytes);
  } else if (schedule_.weak_memory) {
    memory_.store(thread_->observer, to, from, bytes, order == HostOrder::release);
  } else {
    copy_word(to, from, bytes);
  }
  if (!loading_.empty()) delay_loads();
  maybe_preempt();
}

std::uint32_t HostRun::add(std::uint32_t* to, std::uint32_t value, HostOrder order) {
  maybe_preempt();
  polls_ = 0;
  const std::uint32_t before = add_to(to, value, order);
  maybe_preempt();
  return before;
}

std::uint64_t HostRun::add_wide(std::uint64_t* to, std::uint64_t value) {
  maybe_preempt();
  polls_ = 0;
  const std::uint64_t before = add_to(to, value, HostOrder::relaxed);
  maybe_preempt();
  return before;
}

template <typename Unsigned>
Unsigned HostRun::add_to(Unsigned* to, Unsigned value, HostOrder order) {
  if (order == HostOrder::acquire_release) {
    finish_stores(*thread_);
    finish_loads(*thread_);
  }
  finish_store_to(to);
  if (schedule_.weak_memory) return memory_.add(thread_->observer, to, value, order);
  const Unsigned before = *to;
  *to = before + value;
  return before;
}

void HostRun::wait() {
  count_poll(repeated_poll);
  yield();
}

const HostInterface& host_interface() noexcept {
  static constexpr HostInterface interface {
    .version = host_interface_version, .bytes = sizeof(HostInterface),
    .position = [] { return &HostRun::current().position(); },
    .block_barrier = [] { HostRun::current().block_barrier(); },
    .warp_barrier = [] { HostRun::current().warp_barrier(); },
    .shuffle = [](void* value, std::uint32_t bytes, HostShuffle kind,
                  std::int32_t argument) { HostRun::current().shuffle(value, bytes, kind, argument); },
    .ballot = [](std::uint32_t predicate) { return HostRun::current().ballot(predicate != 0); },
    .static_shared = [](std::uint64_t bytes) { return HostRun::current().static_shared(bytes); },
    .dynamic_shared = [](std::uint64_t bytes) { return HostRun::current().dynamic_shared(bytes); },
    .load = [](void* to, const void* from, std::uint32_t bytes,
               HostOrder order) { HostRun::current().load(to, from, bytes, order); },
    .store = [](void* to, const void* from, std::uint32_t bytes,
                HostOrder order) { HostRun::current().store(to, from, bytes, order); },
    .add = [](std::uint32_t* to, std::uint32_t value,
              HostOrder order) { return HostRun::current().add(to, value, order); },
    .add_wide = [](std::uint64_t* to, std::uint64_t value) { return HostRun::current().add_wide(to, value); },
    .begin_loads = [](void (*load)(const void*), const void* what,
                      std::uint32_t bytes) { HostRun::current().begin_loads(load, what, bytes); },
    .await_loads = [] { HostRun::current().await_loads(); },
    .barrier_before_stores = [] { HostRun::current().barrier_before_stores(); },
    .wait = [](std::uint32_t) { HostRun::current().wait(); }, .fence = [] { HostRun::current().fence(); },
    .announce = [] { HostRun::current().announce(); }, .await_previous = [] { HostRun::current().await_previous(); },
    .phase_init = [](std::uint64_t* barrier,
                     std::uint32_t arrivals) { HostRun::current().phase_init(barrier, arrivals); },
    .phase_arrive = [](std::uint64_t* barrier,
                       std::uint32_t expected) { HostRun::current().phase_arrive(barrier, expected); },
    .phase_wait = [](std::uint64_t* barrier, std::uint32_t parity) { HostRun::current().phase_wait(barrier, parity); },
    .async_copy = [](void* to, const void* from) { HostRun::current().async_copy(to, from); },
    .async_arrive = [](std::uint64_t* barrier) { HostRun::current().async_arrive(barrier); },
    .bulk_fence = [] { HostRun::current().bulk_fence(); },
    .bulk_in = [](void* to, const void* from, std::uint32_t bytes,
                  std::uint64_t* barrier) { HostRun::current().bulk_in(to, from, bytes, barrier); },
    .bulk_out = [](void* to, const void* from, std::uint32_t bytes) { HostRun::current().bulk_out(to, from, bytes); },
    .bulk_commit = [] { HostRun::current().bulk_commit(); },
    .bulk_wait_read = [](std::uint32_t pending) { HostRun::current().bulk_wait_read(pending); },
    .arrive_at_cluster = [] { HostRun::current().arrive_at_cluster(); },
    .wait_for_cluster = [] { HostRun::current().wait_for_cluster(); },
    .shared_of_rank = [](const void* own, std::uint32_t rank) { return HostRun::current().shared_of_rank(own, rank); },
    .access = [](const void* at, std::uint64_t bytes,
                 std::uint32_t writes) { HostRun::current().access(at, bytes, writes != 0); },
    .give_up = [] { HostRun::current().give_up(); },
  };
  return interface;
}

}  // namespace upsweep::runtime
