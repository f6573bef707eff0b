// What is known about a device: who it is (for the tuning database) and what it can hold (for the space).
#pragma once

#include <cstdint>
#include <string>

namespace upsweep {

struct DeviceIdentity {
  std::string name;  // as the driver reports it; "host" for the host device
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  int memory_bus_bits = 0;
  int memory_clock_khz = 0;
  bool ecc = false;

  bool operator==(const DeviceIdentity&) const = default;
};

// Limits that constraints are checked against. The defaults are those that every architecture from sm_75 on keeps.
struct DeviceLimits {
  int compute_capability = 75;  // 10 * major + minor
  int multiprocessors = 40;
  int threads_per_block = 1024;
  int threads_per_multiprocessor = 1024;
  int blocks_per_multiprocessor = 16;
  int registers_per_multiprocessor = 65536;
  int shared_bytes_per_block = 48 * 1024;  // with opt-in
  int shared_bytes_per_multiprocessor = 64 * 1024;
  std::uint64_t l2_bytes = 4u << 20;
  std::uint64_t memory_bytes = 0;

  bool operator==(const DeviceLimits&) const = default;
};

// What a measurement was made with, besides the device.
struct Environment {
  std::string driver;     // "580.159.03" or CUDA driver API version "13.0"; empty on the host device
  std::string compiler;   // "nvrtc 13.0" or "g++ 12.2.0"
  std::string generator;  // version of upsweep's generator

  bool operator==(const Environment&) const = default;
};

// Limits of an architecture ("sm_90") for generating without a device. Throws UsageError for an unknown one.
[[nodiscard]] DeviceLimits limits_of_architecture(const std::string& architecture);

// "sm_90" of compute capability 9.0.
[[nodiscard]] std::string architecture_of(const DeviceIdentity& identity);

}  // namespace upsweep
