// Barriers with phases, as they lie in a block's shared memory on the host device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/host/accesses.hpp"
#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

class HostFibers;
struct HostBlock;
struct HostThread;

// A phase ends when no arrival is missing and no byte is outstanding. The word in shared memory only says which barrier
// of the block it is, so that garbage is not taken for one.
struct HostPhaseBarrier {
  // As PTX defines mbarrier objects.
  static constexpr std::uint32_t most_arrivals = (1u << 20) - 1;
  static constexpr std::int64_t most_bytes = (1 << 20) - 1;

  const std::uint64_t* word = nullptr;
  std::uint32_t arrivals = 0;       // in a phase
  std::uint32_t missing = 0;        // arrivals, in the phase that runs
  std::int64_t outstanding = 0;     // bytes announced for it that have not come in; negative: came in unannounced
  std::uint32_t phase = 0;          // the one that runs
  std::uint32_t fences = 0;         // of the cluster, when the barrier was initialised
  std::uint32_t loading_phase = 0;  // in which a load was begun last
  std::uint64_t unseen_bytes = 0;   // of loads, in phases that nobody has waited for
  std::vector<HostThread*> waiting;
  HostView arrived;  // what those who arrived had seen
  HostView ended;    // the same, at the end of the last phase
  HostKnowledge arrived_known;
  HostKnowledge ended_known;
  std::uint32_t loads = 0;  // bulk loads, ever

  [[nodiscard]] static std::uint64_t word_of(std::size_t index) noexcept { return mark | index; }

  // Bytes that come in by loads begun in this phase.
  void begin_load(std::uint64_t bytes) noexcept {
    unseen_bytes += bytes;
    loading_phase = phase;
  }
  // Somebody has waited for the phase before this one.
  void see() noexcept {
    if (loading_phase != phase) unseen_bytes = 0;
  }
  // Whether the phase has ended by now; the next one runs then.
  [[nodiscard]] bool end_phase() {
    if (missing != 0 || outstanding != 0) return false;
    missing = arrivals;
    ++phase;
    ended = arrived;
    ended_known = arrived_known;
    return true;
  }

 private:
  static constexpr std::uint64_t mark = 0x7068617365ull << 24;  // "phase", then 24 bits of index
};

// Fails unless the address is one that a barrier may have.
void check_phase_word(const HostThread& thread, const std::uint64_t* barrier);
// The initialised barrier at this address.
[[nodiscard]] HostPhaseBarrier& phase_barrier(const HostThread& thread, const std::uint64_t* barrier);
void count_arrival(HostFibers& fibers, const HostThread& thread, HostPhaseBarrier& barrier);
void count_bytes(const HostThread& thread, HostPhaseBarrier& barrier, std::int64_t announced);
void maybe_end_phase(HostFibers& fibers, HostPhaseBarrier& barrier);
// Of the last thread of a block, which is about to end: its shared memory must not be written any more.
void check_seen(const HostThread& thread);
// What the waiting threads wait for: " (2 waiting for phase 3 of the mbarrier at ...)".
[[nodiscard]] std::string awaited_phases(const HostBlock& block);

}  // namespace upsweep::runtime
