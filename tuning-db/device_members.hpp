// The members of a device's identity by name, in the order of the columns of databases.
#pragma once

#include <upsweep/device_info.hpp>

namespace upsweep::tuning_db {

// Calls visit("name", device.name) and so on for each member.
template <typename Device, typename Visit>
void each_member(Device& device, const Visit& visit) {
  visit("name", device.name);
  visit("compute_major", device.compute_major);
  visit("compute_minor", device.compute_minor);
  visit("multiprocessors", device.multiprocessors);
  visit("memory_bus_bits", device.memory_bus_bits);
  visit("memory_clock_khz", device.memory_clock_khz);
  visit("ecc", device.ecc);
}

}  // namespace upsweep::tuning_db
