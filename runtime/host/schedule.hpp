// Options of the host device: in which order the threads of a launch run, and what they see of each other's writes.
#pragma once

#include <cstdint>

namespace upsweep::runtime {

// The defaults are tame: blocks start in order, threads take turns, writes are seen at once.
struct HostSchedule {
  std::uint64_t seed = 0;            // of every random choice; the n-th launch after set_schedule draws its own from it
  bool random_blocks = false;        // any block may start next, rather than the one of the lowest index
  bool random_threads = false;       // any thread that can may run next, rather than the one that waited longest
  int resident_blocks = 4;           // so many blocks have started and not ended at a time, at most
  double preempt_probability = 0.0;  // that another thread runs before a primitive takes effect, or after it
  bool weak_memory = false;          // words that blocks exchange may be seen late, as far as memory order allows
  double stale_probability = 0.0;    // that a load, where it may, sees an old value
  bool late_copies = false;          // asynchronous copies happen at any time they may, rather than at once
  // With weak_memory, what a tile loads into registers and does not exchange is read at any time up to when it is
  // needed, rather than at once: see late_loads.cpp.
  bool late_loads = false;
  // Launches of a stream that are dependent (Launch::dependent) may start before the one before has ended, and none
  // runs before it must: before a copy, a fill or synchronize, in that stream, memory that is given back, another
  // schedule, or many launches more. Their errors come then.
  bool overlap = false;
  // So many blocks of each launch, from the lowest index on, count as ended when it begins. What they would have left
  // in memory is there already: a test that looks at the last blocks of a large grid has written it.
  std::uint32_t ended_blocks = 0;
  // Loads of words that bring nothing new, without a store by anybody, before a launch is given up as stuck. Each costs
  // about 50 ns. A load that could well bring news counts a 32nd.
  std::uint64_t poll_limit = 4'000'000;

  // Everything that a device may legally do, drawn from the seed.
  [[nodiscard]] static HostSchedule hostile(std::uint64_t seed);

  bool operator==(const HostSchedule&) const = default;
};

}  // namespace upsweep::runtime
