/// @file
/// Device descriptions: identity (for the tuning database) and limits (for the config space).
#pragma once

#include <upsweep/export.hpp>

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace UPSWEEP_API upsweep {

/// The identity of a kind of device. Tuning results belong to an identity: two GPUs with equal identities share them.
struct DeviceIdentity {
  std::string name{};        ///< As the driver reports it; "host" for the host device.
  int compute_major = 0;     ///< Major number of the compute capability.
  int compute_minor = 0;     ///< Minor number of the compute capability.
  int multiprocessors = 0;   ///< Number of multiprocessors.
  int memory_bus_bits = 0;   ///< Width of the memory bus, in bits.
  int memory_clock_khz = 0;  ///< Memory clock, in kHz.
  bool ecc = false;          ///< Whether error correction of the device memory is on.

  /// Identities are equal if all members are equal, and ordered by the members in turn.
  auto operator<=>(const DeviceIdentity&) const = default;
};

/// Limits that configs are checked against. The defaults hold on every architecture from sm_75 on.
struct DeviceLimits {
  int compute_capability = 75;                      ///< 10 * major + minor.
  int multiprocessors = 40;                         ///< Number of multiprocessors.
  int threads_per_block = 1024;                     ///< Most threads per block.
  int threads_per_multiprocessor = 1024;            ///< Most resident threads per multiprocessor.
  int blocks_per_multiprocessor = 16;               ///< Most resident blocks per multiprocessor.
  int blocks_per_cluster = 8;                       ///< Most blocks per cluster, from compute capability 9.0 on.
  int registers_per_multiprocessor = 65536;         ///< 32-bit registers per multiprocessor.
  int shared_bytes_per_block = 48 * 1024;           ///< Most shared memory per block, with opt-in, in bytes.
  int shared_bytes_per_multiprocessor = 64 * 1024;  ///< Shared memory per multiprocessor, in bytes.
  std::uint64_t l2_bytes = 4u << 20;                ///< Size of the L2 cache, in bytes.
  std::uint64_t memory_bytes = 0;                   ///< Device memory, in bytes; 0 if unknown.
  double memory_gb_per_second = 0;                  ///< Rate of the device memory, in GB/s; 0 if unknown.

  /// Limits are equal if all members are equal.
  bool operator==(const DeviceLimits&) const = default;
};

/// The software that a measurement was made with.
struct Environment {
  std::string driver{};  ///< For example "580.159.03", or the CUDA driver API version "13.0"; empty on the host device.
  std::string compiler{};   ///< For example "nvrtc 13.0" or "g++ 12.2.0".
  std::string generator{};  ///< Version of upsweep's generator.

  /// Environments are equal if all members are equal.
  bool operator==(const Environment&) const = default;
};

/// Limits of an architecture, to generate kernels without a device. The known architectures are those from sm_75 on
/// that NVRTC 12.3 to 13.0 can compile for. The number of multiprocessors and the size of the L2 cache are those of a
/// common large GPU.
/// @param architecture for example "sm_90" or "sm_100a".
/// @throws UsageError for an unknown architecture; the message lists the known ones.
[[nodiscard]] DeviceLimits limits_of_architecture(const std::string& architecture);
/// The names of the known architectures, without suffixes, in ascending order.
[[nodiscard]] std::vector<std::string> known_architectures();

/// Rate of a device's memory, by the width and the clock of its bus: bits / 8 x 2 x clock.
/// @return GB/s; 0 if the device does not tell.
[[nodiscard]] double memory_gb_per_second(const DeviceIdentity& identity) noexcept;

/// The architecture of a device: "sm_90" for compute capability 9.0.
[[nodiscard]] std::string architecture_of(const DeviceIdentity& identity);

}  // namespace upsweep
