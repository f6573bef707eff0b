#include "runtime/host/phases.hpp"

#include <fmt/format.h>

#include "runtime/host/phase_barrier.hpp"

namespace upsweep::runtime {

void HostPhases::init(std::uint64_t* barrier, std::uint32_t arrivals) {
  fibers_.maybe_preempt();
  check_phase_word(fibers_.self(), barrier);
  if (arrivals < 1 || arrivals > HostPhaseBarrier::most_arrivals) {
    fibers_.fail(fmt::format("initialises an mbarrier for {} arrivals: use 1 to {} arrivals", arrivals,
                             HostPhaseBarrier::most_arrivals));
  }
  HostBlock& block = *fibers_.self().block;
  for (const HostPhaseBarrier& each : block.phase_barriers) {
    if (each.word == barrier)
      fibers_.fail("initialises an mbarrier that is already initialised: call init_barrier once for each mbarrier");
  }
  *barrier = HostPhaseBarrier::word_of(block.phase_barriers.size());
  HostPhaseBarrier& made = block.phase_barriers.emplace_back();
  made.word = barrier;
  made.arrivals = made.missing = arrivals;
  made.fences = cluster_of(block).fences;
  fibers_.maybe_preempt();
}

void HostPhases::arrive(std::uint64_t* barrier, std::uint32_t expected_bytes) {
  fibers_.maybe_preempt();
  HostPhaseBarrier& found = phase_barrier(fibers_.self(), barrier);
  if (fibers_.schedule.weak_memory) found.arrived.join(fibers_.self().observer.view);
  in_flight_.finish_stores(fibers_.self());
  if (is_watched(fibers_.self())) {
    fibers_.self().clock.release(agent_of(fibers_.self()));
    found.arrived_known.join(fibers_.self().clock.known);
  }
  if (expected_bytes > 0) count_bytes(fibers_.self(), found, expected_bytes);
  count_arrival(fibers_, fibers_.self(), found);
  fibers_.maybe_preempt();
}

void HostPhases::wait(std::uint64_t* barrier, std::uint32_t parity) {
  fibers_.maybe_preempt();
  HostThread& self = fibers_.self();
  if (parity > 1) fibers_.fail(fmt::format("waits for a phase with parity {}: use parity 0 or 1", parity));
  const std::uint32_t awaited = phase_barrier(self, barrier).phase;
  for (;;) {
    // Looked up each time: others may have been initialised meanwhile.
    HostPhaseBarrier& found = phase_barrier(self, barrier);
    if (found.phase % 2 != parity) {
      found.see();
      if (fibers_.schedule.weak_memory) self.observer.view.join(found.ended);
      if (is_watched(self)) self.clock.known.join(found.ended_known);
      return;
    }
    if (found.phase != awaited) {
      fibers_.fail(
          fmt::format("was still waiting for phase {} of an mbarrier when phase {} ended: no synchronisation made the "
                      "other threads wait for this thread",
                      awaited, found.phase - 1));
    }
    found.waiting.push_back(&self);
    self.state = HostState::wait_phase;
    fibers_.suspend();
  }
}

}  // namespace upsweep::runtime
