// Limits of a device by the speed of its memory.
#pragma once

#include "generator/device_limits.hpp"

namespace upsweep::test {

// Of compute capability 9.0, with a memory of so many GB/s.
inline DeviceLimits with_bandwidth(double gb_per_second) {
  DeviceLimits limits = limits_of_architecture("sm_90");
  limits.memory_gb_per_second = gb_per_second;
  return limits;
}

}  // namespace upsweep::test
