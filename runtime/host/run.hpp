// Launches of one stream on the host device, from their first block to the last.
//
// Launches may run at the same time, as programmatic dependent launch allows it: the next one's blocks may start once
// all blocks of the one before let them or have ended, and only a thread that waits for the kernel before sees what
// that one did. What a thread stores meanwhile reaches memory when the thread fences it, or at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/host/barriers.hpp"
#include "runtime/host/copies.hpp"
#include "runtime/host/fibers.hpp"
#include "runtime/host/grid.hpp"
#include "runtime/host/in_flight.hpp"
#include "runtime/host/late_loads.hpp"
#include "runtime/host/phases.hpp"
#include "runtime/host/schedule.hpp"
#include "runtime/host/shared_memory.hpp"
#include "runtime/host/stacks.hpp"
#include "runtime/host/weak_memory.hpp"
#include "runtime/host/words.hpp"

namespace upsweep::runtime {

class HostRun {
 public:
  // Launches of one stream, in its order; those after the first may overlap with the one before if they are dependent.
  HostRun(std::vector<HostLaunch> launches, const HostSchedule& schedule, std::uint64_t seed, HostStacks& stacks);
  HostRun(const HostRun&) = delete;
  HostRun& operator=(const HostRun&) = delete;
  ~HostRun();

  // To the end of the last block. Throws DeviceError where the kernel does what no device allows or gets stuck,
  // Cancelled where the calling thread's work is cancelled, and what a primitive threw; the destructor unwinds the
  // fibers.
  void run();

  // The launches that the calling host thread runs.
  [[nodiscard]] static HostRun& current() noexcept;

  // The thread that runs lets the next kernel start.
  void announce();
  // The thread that runs waits for the kernel before.
  void await_previous();

  // The other primitives, by topic, and what they stand on.
  HostFibers fibers;
  HostSharedMemory shared;
  WeakMemory memory;
  HostInFlight in_flight;
  HostLateLoads loads;
  HostWords words;
  HostBarriers barriers;
  HostPhases phases;
  HostCopies copies;

 private:
  void start_grid();
  [[nodiscard]] bool may_start_grid() const;
  void end_grid(HostGrid& grid);
  void start_cluster(HostGrid& grid, std::size_t first_slot);
  void start_block(HostBlock& block, std::uint32_t index);
  void start_thread(HostBlock& block, std::uint32_t thread);
  void end_thread(HostThread& thread);
  void end_block(HostThread& last);
  [[nodiscard]] std::string where_all_stand() const;

  HostStacks& stacks_;
  std::vector<std::unique_ptr<HostGrid>> grids_;  // in the order of the stream
  std::size_t next_grid_ = 0;                     // the one that starts next
  bool starts_early_ = false;                     // that one, if it may
  std::size_t capacity_ = 0;                      // threads of the grids that have started and not ended
  std::size_t live_ = 0;                          // resident blocks
};

}  // namespace upsweep::runtime
