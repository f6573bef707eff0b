// The limits of a device by its identity, for devices that are not there: those of a tuning database, say.
#pragma once

#include <cstdint>
#include <optional>

#include <upsweep/device_info.hpp>

namespace upsweep {

// Most blocks of a cluster on a whole GPU.
[[nodiscard]] int blocks_per_cluster(int compute_capability) noexcept;

// Of a part of a device with so many multiprocessors. They lie in several of the device's clusters of multiprocessors
// (GPCs): an H200's part of 16 launches no cluster of 16 blocks, driver 580.159.04. A part has room for the portable
// cluster of 8.
[[nodiscard]] DeviceLimits limits_of_part(DeviceLimits limits, int multiprocessors) noexcept;

// At least one.
[[nodiscard]] std::uint64_t multiprocessors_of(const DeviceLimits& limits) noexcept;

// What the memory gives each multiprocessor, in GB/s; 0 if it is not known.
[[nodiscard]] double bandwidth_each(const DeviceLimits& limits) noexcept;

// Whether the memory gives each multiprocessor much, as in a part of a GPU, and at least `each` of so many bytes.
[[nodiscard]] bool feeds_fast(const DeviceLimits& limits, std::uint64_t bytes, std::uint64_t each) noexcept;

// Whether so many bytes take a part of a GPU long enough that its multiprocessors, which do not all get the same
// bandwidth, should take their shares as they become free. In a part of 8, all get the same.
[[nodiscard]] bool feeds_unevenly(const DeviceLimits& limits, std::uint64_t bytes) noexcept;

// Of the host device, but for its memory, which is the machine's.
[[nodiscard]] DeviceLimits host_limits();

// Of the host device or of a GPU whose architecture this version knows; none for another. memory_bytes is 0: an
// identity does not say it, and no default config depends on it.
[[nodiscard]] std::optional<DeviceLimits> limits_of(const DeviceIdentity& device);

}  // namespace upsweep
