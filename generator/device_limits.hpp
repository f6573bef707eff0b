// The limits of a device by its identity, for devices that are not there: those of a tuning database, say.
#pragma once

#include <optional>

#include <upsweep/device_info.hpp>

namespace upsweep {

// Of the host device, but for its memory, which is the machine's.
[[nodiscard]] DeviceLimits host_limits();

// Of the host device or of a GPU whose architecture this version knows; none for another. memory_bytes is 0: an
// identity does not say it, and no default config depends on it.
[[nodiscard]] std::optional<DeviceLimits> limits_of(const DeviceIdentity& device);

}  // namespace upsweep
