#include <upsweep/device_info.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/device_limits.hpp"
#include "generator/names.hpp"

namespace upsweep {
namespace {

struct Architecture {
  std::string_view name;
  int compute_capability;
  int threads_per_multiprocessor;
  int blocks_per_multiprocessor;
  int shared_kib_per_multiprocessor;
  int multiprocessors;  // of a common large part
  int l2_mib;
};

// Of a cluster: 8 blocks are portable. The guide has 16 for 9.0, and NVIDIA's Blackwell tuning guide for 10.0.
constexpr int portable_cluster = 8, large_cluster = 16;

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; a block can have 1 KiB less shared
// memory than the multiprocessor (sm_75: all of it). The guide does not tell of 8.8, which has the least of its major
// version here. 10.1 is what CUDA 12 calls 11.0.
constexpr std::array architectures{
    Architecture{"sm_75", 75, 1024, 16, 64, 40, 4},     Architecture{"sm_80", 80, 2048, 32, 164, 108, 40},
    Architecture{"sm_86", 86, 1536, 16, 100, 84, 6},    Architecture{"sm_87", 87, 1536, 16, 164, 16, 4},
    Architecture{"sm_88", 88, 1536, 16, 100, 16, 4},    Architecture{"sm_89", 89, 1536, 24, 100, 128, 72},
    Architecture{"sm_90", 90, 2048, 32, 228, 132, 50},  Architecture{"sm_100", 100, 2048, 32, 228, 148, 126},
    Architecture{"sm_101", 101, 1536, 24, 228, 20, 32}, Architecture{"sm_103", 103, 2048, 32, 228, 160, 126},
    Architecture{"sm_110", 110, 1536, 24, 228, 20, 32}, Architecture{"sm_120", 120, 1536, 24, 100, 170, 96},
    Architecture{"sm_121", 121, 1536, 24, 100, 48, 24},
};

// "sm_90" of "sm_90a": what a suffix adds is no limit. Suffixes came with 9.0 (a) and 10.0 (f).
std::string without_suffix(const std::string& architecture) {
  const bool has_one = architecture.ends_with('a') || architecture.ends_with('f');
  return has_one ? architecture.substr(0, architecture.size() - 1) : architecture;
}

bool may_have_suffix(const Architecture& architecture, char suffix) {
  return architecture.compute_capability >= (suffix == 'a' ? 90 : 100);
}

DeviceLimits limits_of(const Architecture& architecture) {
  const int shared = architecture.shared_kib_per_multiprocessor * 1024;
  return {.compute_capability = architecture.compute_capability,
          .multiprocessors = architecture.multiprocessors,
          .threads_per_block = 1024,
          .threads_per_multiprocessor = architecture.threads_per_multiprocessor,
          .blocks_per_multiprocessor = architecture.blocks_per_multiprocessor,
          .blocks_per_cluster = blocks_per_cluster(architecture.compute_capability),
          .registers_per_multiprocessor = 65536,
          .shared_bytes_per_block = architecture.compute_capability == 75 ? shared : shared - 1024,
          .shared_bytes_per_multiprocessor = shared,
          .l2_bytes = static_cast<std::uint64_t>(architecture.l2_mib) << 20,
          .memory_bytes = 0};
}

// With or without its suffix.
const Architecture* find(const std::string& name) {
  const std::string base = without_suffix(name);
  const auto at = std::ranges::find(architectures, base, &Architecture::name);
  if (at == architectures.end() || (base != name && !may_have_suffix(*at, name.back()))) return nullptr;
  return &*at;
}

}  // namespace

int blocks_per_cluster(int compute_capability) noexcept {
  return compute_capability == 90 || compute_capability == 100 || compute_capability == 103 ? large_cluster
                                                                                            : portable_cluster;
}

DeviceLimits limits_of_part(DeviceLimits limits, int multiprocessors) noexcept {
  if (multiprocessors < limits.multiprocessors) {
    limits.blocks_per_cluster = std::min(limits.blocks_per_cluster, portable_cluster);
  }
  limits.multiprocessors = multiprocessors;
  return limits;
}

std::uint64_t multiprocessors_of(const DeviceLimits& limits) noexcept {
  return static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
}

double bandwidth_each(const DeviceLimits& limits) noexcept {
  return limits.multiprocessors > 0 ? limits.memory_gb_per_second / limits.multiprocessors : 0;
}

bool feeds_fast(const DeviceLimits& limits, std::uint64_t bytes, std::uint64_t each) noexcept {
  return bandwidth_each(limits) > 60 && bytes >= each * static_cast<std::uint64_t>(limits.multiprocessors);
}

bool feeds_unevenly(const DeviceLimits& limits, std::uint64_t bytes) noexcept {
  return limits.multiprocessors > 8 && feeds_fast(limits, bytes, 16 << 20);
}

DeviceLimits limits_of_architecture(const std::string& architecture) {
  if (const Architecture* const known = find(architecture)) return limits_of(*known);
  throw UsageError(unknown_name("architecture", architecture, known_architectures()));
}

DeviceLimits host_limits() {
  DeviceLimits limits;
  limits.compute_capability = 90;  // whatever any device has
  limits.multiprocessors = 4;
  limits.blocks_per_cluster = large_cluster;
  limits.shared_bytes_per_block = 227 * 1024;
  limits.shared_bytes_per_multiprocessor = 228 * 1024;
  return limits;
}

std::optional<DeviceLimits> limits_of(const DeviceIdentity& device) {
  if (device.compute_major == 0) return host_limits();
  const Architecture* const known = find(architecture_of(device));
  if (known == nullptr) return std::nullopt;
  DeviceLimits limits = limits_of(*known);
  limits.multiprocessors = device.multiprocessors;
  limits.memory_gb_per_second = memory_gb_per_second(device);
  return limits;
}

double memory_gb_per_second(const DeviceIdentity& identity) noexcept {
  return identity.memory_bus_bits / 8.0 * 2 * identity.memory_clock_khz / 1e6;
}

std::vector<std::string> known_architectures() {
  std::vector<std::string> names;
  for (const Architecture& each : architectures) names.emplace_back(each.name);
  return names;
}

std::string architecture_of(const DeviceIdentity& identity) {
  return fmt::format("sm_{}{}", identity.compute_major, identity.compute_minor);
}

}  // namespace upsweep
