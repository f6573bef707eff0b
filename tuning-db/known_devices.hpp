// Devices that have tuning results, by name: `--for NAME` shows what such a device would run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

// The GPUs that the results shipped with the library were measured on.
[[nodiscard]] std::vector<DeviceIdentity> shipped_devices();

// The GPUs of these winners, each once, in their order.
[[nodiscard]] std::vector<DeviceIdentity> devices_of(std::span<const Winner> winners);

// The device of that name, of several the one with the most multiprocessors; "NVIDIA H200/16" is a part of 16. Letter
// case does not count. Throws UsageError naming the devices there are.
[[nodiscard]] DeviceIdentity device_named(const std::string& name, std::span<const DeviceIdentity> known);

// Its limits, as far as its architecture and identity tell. Throws UsageError for an unknown architecture.
[[nodiscard]] DeviceLimits limits_of(const DeviceIdentity& device);

}  // namespace upsweep::tuning_db
