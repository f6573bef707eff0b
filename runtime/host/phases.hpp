// The primitives of phase barriers, for the thread that runs.
#pragma once

#include <cstdint>

#include "runtime/host/in_flight.hpp"

namespace upsweep::runtime {

class HostPhases {
 public:
  HostPhases(HostFibers& fibers, HostInFlight& in_flight) : fibers_(fibers), in_flight_(in_flight) {}

  void init(std::uint64_t* barrier, std::uint32_t arrivals);
  void arrive(std::uint64_t* barrier, std::uint32_t expected_bytes);
  void wait(std::uint64_t* barrier, std::uint32_t parity);

 private:
  HostFibers& fibers_;
  HostInFlight& in_flight_;
};

}  // namespace upsweep::runtime
