#include <upsweep/device_info.hpp>

#include <array>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep {
namespace {

struct Architecture {
  const char* name;
  int compute_capability;
  int threads_per_multiprocessor;
  int blocks_per_multiprocessor;
  int shared_kib_per_multiprocessor;
  int multiprocessors;  // of a common large part
  int l2_mib;
};

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; a block can have 1 KiB less shared
// memory than the multiprocessor (sm_75: all of it).
constexpr std::array architectures{
    Architecture{"sm_75", 75, 1024, 16, 64, 40, 4},      Architecture{"sm_80", 80, 2048, 32, 164, 108, 40},
    Architecture{"sm_86", 86, 1536, 16, 100, 84, 6},     Architecture{"sm_89", 89, 1536, 24, 100, 128, 72},
    Architecture{"sm_90", 90, 2048, 32, 228, 132, 50},   Architecture{"sm_100", 100, 2048, 32, 228, 148, 126},
    Architecture{"sm_120", 120, 1536, 24, 100, 170, 96},
};

}  // namespace

DeviceLimits limits_of_architecture(const std::string& architecture) {
  std::string known;
  for (const Architecture& each : architectures) {
    if (architecture == each.name) {
      const int shared = each.shared_kib_per_multiprocessor * 1024;
      return {.compute_capability = each.compute_capability,
              .multiprocessors = each.multiprocessors,
              .threads_per_block = 1024,
              .threads_per_multiprocessor = each.threads_per_multiprocessor,
              .blocks_per_multiprocessor = each.blocks_per_multiprocessor,
              .registers_per_multiprocessor = 65536,
              .shared_bytes_per_block = architecture == "sm_75" ? shared : shared - 1024,
              .shared_bytes_per_multiprocessor = shared,
              .l2_bytes = static_cast<std::uint64_t>(each.l2_mib) << 20,
              .memory_bytes = 0};
    }
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw UsageError(fmt::format("unknown architecture '{}': use one of {}", architecture, known));
}

std::string architecture_of(const DeviceIdentity& identity) {
  return fmt::format("sm_{}{}", identity.compute_major, identity.compute_minor);
}

}  // namespace upsweep
