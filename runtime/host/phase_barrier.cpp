#include "runtime/host/phase_barrier.hpp"

#include <fmt/format.h>

#include "runtime/host/fibers.hpp"

namespace upsweep::runtime {

void check_phase_word(const HostThread& thread, const std::uint64_t* barrier) {
  if (thread.block->shared_with(barrier, sizeof(*barrier)) == nullptr) {
    fail_at(thread, "uses an mbarrier that does not lie in the shared memory of its block");
  }
  if (reinterpret_cast<std::uintptr_t>(barrier) % sizeof(*barrier) != 0) {
    fail_at(thread, "uses an mbarrier whose address is not a multiple of 8");
  }
}

HostPhaseBarrier& phase_barrier(const HostThread& thread, const std::uint64_t* barrier) {
  check_phase_word(thread, barrier);
  std::vector<HostPhaseBarrier>& all = thread.block->phase_barriers;
  const std::size_t index = *barrier ^ HostPhaseBarrier::word_of(0);
  if (index < all.size() && all[index].word == barrier) return all[index];
  for (const HostPhaseBarrier& each : all) {
    if (each.word == barrier) fail_at(thread, "uses an mbarrier that was overwritten after init_barrier");
  }
  fail_at(thread, "uses an mbarrier that was never initialised: call init_barrier and then block_barrier");
}

void count_arrival(HostFibers& fibers, const HostThread& thread, HostPhaseBarrier& barrier) {
  if (barrier.missing == 0) {
    fail_at(thread,
            fmt::format("arrives at an mbarrier that was initialised for {} arrivals and has them all: phase {} "
                        "waits only for {} more bytes",
                        barrier.arrivals, barrier.phase, barrier.outstanding));
  }
  --barrier.missing;
  maybe_end_phase(fibers, barrier);
}

void count_bytes(const HostThread& thread, HostPhaseBarrier& barrier, std::int64_t announced) {
  barrier.outstanding += announced;
  if (barrier.outstanding > HostPhaseBarrier::most_bytes || barrier.outstanding < -HostPhaseBarrier::most_bytes) {
    fail_at(thread, fmt::format("brings the byte count of an mbarrier to {0}: the count must stay between -{1} and {1}",
                                barrier.outstanding, HostPhaseBarrier::most_bytes));
  }
}

void maybe_end_phase(HostFibers& fibers, HostPhaseBarrier& barrier) {
  if (!barrier.end_phase()) return;
  fibers.note_progress();
  for (HostThread* thread : barrier.waiting) fibers.wake(*thread);
  barrier.waiting.clear();
}

void check_seen(const HostThread& thread) {
  for (const HostPhaseBarrier& barrier : thread.block->phase_barriers) {
    if (barrier.unseen_bytes > 0) {
      fail_at(
          thread,
          fmt::format(
              "exited while {} bytes of bulk loads are pending: no thread has waited for phase {} of their mbarrier",
              barrier.unseen_bytes, barrier.loading_phase));
    }
    if (barrier.outstanding != 0) {
      fail_at(
          thread,
          fmt::format("exited as the last thread of its block while an mbarrier waits for {} bytes (a negative number: "
                      "bytes that arrived without arrive_expecting)",
                      barrier.outstanding));
    }
  }
}

std::string awaited_phases(const HostBlock& block) {
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
