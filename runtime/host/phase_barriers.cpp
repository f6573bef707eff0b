// What threads do at barriers with phases.
#include <fmt/format.h>

#include "runtime/host/run.hpp"

namespace upsweep::runtime {

// ---- finding them

// The address is one that a barrier may have.
void HostRun::check_phase_word(const HostThread& thread, const std::uint64_t* barrier) const {
  if (thread.block->shared_with(barrier, sizeof(*barrier)) == nullptr) {
    fail(thread, "uses an mbarrier that does not lie in the shared memory of its block");
  }
  if (reinterpret_cast<std::uintptr_t>(barrier) % sizeof(*barrier) != 0) {
    fail(thread, "uses an mbarrier whose address is not a multiple of 8");
  }
}

HostPhaseBarrier& HostRun::phase_barrier(const HostThread& thread, const std::uint64_t* barrier) {
  check_phase_word(thread, barrier);
  std::vector<HostPhaseBarrier>& all = thread.block->phase_barriers;
  const std::size_t index = *barrier ^ HostPhaseBarrier::word_of(0);
  if (index < all.size() && all[index].word == barrier) return all[index];
  for (const HostPhaseBarrier& each : all) {
    if (each.word == barrier) fail(thread, "uses an mbarrier that was overwritten after init_barrier");
  }
  fail(thread, "uses an mbarrier that was never initialised: call init_barrier and then block_barrier");
}

// ---- arriving

void HostRun::phase_init(std::uint64_t* barrier, std::uint32_t arrivals) {
  maybe_preempt();
  check_phase_word(*thread_, barrier);
  if (arrivals < 1 || arrivals > HostPhaseBarrier::most_arrivals) {
    fail(fmt::format("initialises an mbarrier for {} arrivals: use 1 to {} arrivals", arrivals,
                     HostPhaseBarrier::most_arrivals));
  }
  HostBlock& block = *thread_->block;
  for (const HostPhaseBarrier& each : block.phase_barriers) {
    if (each.word == barrier)
      fail("initialises an mbarrier that is already initialised: call init_barrier once for each mbarrier");
  }
  *barrier = HostPhaseBarrier::word_of(block.phase_barriers.size());
  HostPhaseBarrier& made = block.phase_barriers.emplace_back();
  made.word = barrier;
  made.arrivals = made.missing = arrivals;
  made.fences = cluster_of(block).fences;
  maybe_preempt();
}

void HostRun::phase_arrive(std::uint64_t* barrier, std::uint32_t expected_bytes) {
  maybe_preempt();
  HostPhaseBarrier& found = phase_barrier(*thread_, barrier);
  if (schedule_.weak_memory) found.arrived.join(thread_->observer.view);
  finish_stores(*thread_);
  if (is_watched(*thread_)) {
    thread_->clock.release(agent_of(*thread_));
    found.arrived_known.join(thread_->clock.known);
  }
  if (expected_bytes > 0) count_bytes(*thread_, found, expected_bytes);
  count_arrival(*thread_, found);
  maybe_preempt();
}

void HostRun::count_arrival(const HostThread& thread, HostPhaseBarrier& barrier) {
  if (barrier.missing == 0) {
    fail(thread, fmt::format("arrives at an mbarrier that was initialised for {} arrivals and has them all: phase {} "
                             "waits only for {} more bytes",
                             barrier.arrivals, barrier.phase, barrier.outstanding));
  }
  --barrier.missing;
  maybe_end_phase(barrier);
}

void HostRun::count_bytes(const HostThread& thread, HostPhaseBarrier& barrier, std::int64_t announced) {
  barrier.outstanding += announced;
  if (barrier.outstanding > HostPhaseBarrier::most_bytes || barrier.outstanding < -HostPhaseBarrier::most_bytes) {
    fail(thread, fmt::format("brings the byte count of an mbarrier to {0}: the count must stay between -{1} and {1}",
                             barrier.outstanding, HostPhaseBarrier::most_bytes));
  }
}

void HostRun::maybe_end_phase(HostPhaseBarrier& barrier) {
  if (!barrier.end_phase()) return;
  polls_ = 0;
  for (HostThread* thread : barrier.waiting) wake(*thread);
  barrier.waiting.clear();
}

// ---- waiting

void HostRun::phase_wait(std::uint64_t* barrier, std::uint32_t parity) {
  maybe_preempt();
  HostThread& self = *thread_;
  if (parity > 1) fail(fmt::format("waits for a phase with parity {}: use parity 0 or 1", parity));
  const std::uint32_t awaited = phase_barrier(self, barrier).phase;
  for (;;) {
    // Looked up each time: others may have been initialised meanwhile.
    HostPhaseBarrier& found = phase_barrier(self, barrier);
    if (found.phase % 2 != parity) {
      found.see();
      if (schedule_.weak_memory) self.observer.view.join(found.ended);
      if (is_watched(self)) self.clock.known.join(found.ended_known);
      return;
    }
    if (found.phase != awaited) {
      fail(
          fmt::format("was still waiting for phase {} of an mbarrier when phase {} ended: no synchronisation made the "
                      "other threads wait for this thread",
                      awaited, found.phase - 1));
    }
    found.waiting.push_back(&self);
    self.state = HostState::wait_phase;
    suspend();
  }
}

// Of a block that is about to end: its shared memory must not be written any more.
void HostRun::check_seen(const HostBlock& block) const {
  for (const HostPhaseBarrier& barrier : block.phase_barriers) {
    if (barrier.unseen_bytes > 0) {
      fail(fmt::format(
          "exited while {} bytes of bulk loads are pending: no thread has waited for phase {} of their mbarrier",
          barrier.unseen_bytes, barrier.loading_phase));
    }
    if (barrier.outstanding != 0) {
      fail(
          fmt::format("exited as the last thread of its block while an mbarrier waits for {} bytes (a negative number: "
                      "bytes that arrived without arrive_expecting)",
                      barrier.outstanding));
    }
  }
}

// What the waiting threads wait for: " (2 waiting for phase 3 of the mbarrier at ...)".
std::string HostRun::awaited_phases(const HostBlock& block) {
  std::string text;
  for (const HostPhaseBarrier& barrier : block.phase_barriers) {
    if (barrier.waiting.empty()) continue;
    const SharedBytes& shared = *block.shared_with(barrier.word, sizeof(*barrier.word));
    text +=
        fmt::format("{}{} waiting for phase {} of the mbarrier at byte {}, which lacks {} of {} arrivals and {} bytes",
                    text.empty() ? " (" : "; ", barrier.waiting.size(), barrier.phase,
                    reinterpret_cast<const std::byte*>(barrier.word) - shared.data(), barrier.missing, barrier.arrivals,
                    barrier.outstanding);
  }
  return text.empty() ? text : text + ")";
}

}  // namespace upsweep::runtime
