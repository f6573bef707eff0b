#include "tuning-db/known_devices.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <upsweep/error.hpp>

#include "generator/names.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::tuning_db {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

void add(std::vector<DeviceIdentity>& devices, const DeviceIdentity& device) {
  const bool is_gpu = device.compute_major > 0;
  if (is_gpu && std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
}

}  // namespace

std::vector<DeviceIdentity> shipped_devices() {
  std::vector<DeviceIdentity> devices;
  for (const std::string_view file : shipped_files()) {
    // They are of the current version, which has the parts at its head: a test looks.
    const SharedParts parts = shared_parts_of_head(file).value();
    for (const DeviceIdentity& device : parts.devices) add(devices, device);
  }
  return devices;
}

std::vector<DeviceIdentity> devices_of(std::span<const Winner> winners) {
  std::vector<DeviceIdentity> devices;
  for (const Winner& winner : winners) add(devices, winner.trial.device);
  return devices;
}

DeviceIdentity device_named(const std::string& name, std::span<const DeviceIdentity> known) {
  std::vector<std::string> names;
  const DeviceIdentity* found = nullptr;
  for (const DeviceIdentity& device : known) {
    if (same_letters(device.name + "/" + std::to_string(device.multiprocessors), name)) return device;
    const bool is_larger = found == nullptr || device.multiprocessors > found->multiprocessors;
    if (same_letters(device.name, name) && is_larger) found = &device;
    if (std::find(names.begin(), names.end(), device.name) == names.end()) names.push_back(device.name);
  }
  if (found != nullptr) return *found;
  // Part of a name is enough to guess it: H200 of NVIDIA H200.
  throw UsageError(unknown_name("device", name, names, "(it has no tuning results)"));
}

DeviceLimits limits_of(const DeviceIdentity& device) {
  DeviceLimits limits = limits_of_architecture(architecture_of(device));
  if (device.multiprocessors > 0) limits.multiprocessors = device.multiprocessors;
  limits.memory_gb_per_second = memory_gb_per_second(device);
  return limits;
}

}  // namespace upsweep::tuning_db
