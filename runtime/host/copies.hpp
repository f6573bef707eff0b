// The primitives of asynchronous and bulk copies, for the thread that runs.
#pragma once

#include <cstdint>

#include "runtime/host/in_flight.hpp"

namespace upsweep::runtime {

class HostCopies {
 public:
  HostCopies(HostFibers& fibers, HostSharedMemory& shared, HostInFlight& in_flight)
      : fibers_(fibers), shared_(shared), in_flight_(in_flight) {}

  void copy_async(void* to_shared, const void* from_global);
  void arrive_when_copied(std::uint64_t* barrier);
  void await_async_copies();
  void fence();
  void load(void* to_shared, const void* from_global, std::uint32_t bytes, std::uint64_t* barrier);
  void store(void* to_global, const void* from_shared, std::uint32_t bytes);
  void commit_stores();
  void wait_stores_read(std::uint32_t pending);
  // Of the thread that is about to end: no other thread can wait for its stores, nor for loads without an arrival.
  void check_waited_for() const;

 private:
  void check_copy(const char* what, const void* shared, const void* global, std::uint32_t bytes) const;

  HostFibers& fibers_;
  HostSharedMemory& shared_;
  HostInFlight& in_flight_;
};

}  // namespace upsweep::runtime
