// Barriers and exchanges of warps, blocks and clusters, for the thread that runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/host/in_flight.hpp"
#include "runtime/host/interface.hpp"
#include "runtime/host/late_loads.hpp"

namespace upsweep::runtime {

class HostBarriers {
 public:
  HostBarriers(HostFibers& fibers, HostInFlight& in_flight, HostLateLoads& loads)
      : fibers_(fibers), in_flight_(in_flight), loads_(loads) {}

  void block_barrier();
  void barrier_before_stores();
  void warp_barrier() { meet(HostState::warp_barrier, 0); }
  void shuffle(void* value, std::uint32_t bytes, HostShuffle kind, std::int32_t argument);
  [[nodiscard]] std::uint32_t ballot(bool predicate);
  void arrive_at_cluster();
  void wait_for_cluster();
  // Of the thread that is about to end.
  void check_exit();

 private:
  void meet(HostState kind, std::uint32_t bytes);
  void check_meeting(const HostThread& self, const HostWarp& warp, HostState kind, std::uint32_t bytes) const;
  void exchange(HostThread* lanes, HostState kind, std::uint32_t bytes) const;
  void join_views(HostThread* first, std::size_t count) const;

  HostFibers& fibers_;
  HostInFlight& in_flight_;
  HostLateLoads& loads_;
};

}  // namespace upsweep::runtime
