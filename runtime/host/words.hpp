// The words that blocks exchange, for the thread that runs.
#pragma once

#include <cstdint>

#include "runtime/host/in_flight.hpp"
#include "runtime/host/interface.hpp"
#include "runtime/host/late_loads.hpp"

namespace upsweep::runtime {

class HostWords {
 public:
  // `overlaps`: launches run beside each other, so that a store may reach memory late.
  HostWords(HostFibers& fibers, HostInFlight& in_flight, HostLateLoads& loads, WeakMemory& memory, bool overlaps)
      : fibers_(fibers), in_flight_(in_flight), loads_(loads), memory_(memory), overlaps_(overlaps) {}

  void load(void* to, const void* from, std::uint32_t bytes, HostOrder order);
  void store(void* to, const void* from, std::uint32_t bytes, HostOrder order);
  template <typename Unsigned>
  [[nodiscard]] Unsigned add(Unsigned* to, Unsigned value, HostOrder order);
  void fence();
  // Before a word is polled again.
  void wait();

 private:
  void finish_own();

  HostFibers& fibers_;
  HostInFlight& in_flight_;
  HostLateLoads& loads_;
  WeakMemory& memory_;
  bool overlaps_;
};

}  // namespace upsweep::runtime
