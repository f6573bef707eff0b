// upsweep devices: where kernels can run.
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/host/host_device.hpp"

namespace upsweep::cli {
namespace {

std::vector<std::shared_ptr<runtime::Device>> all_devices() {
  std::vector<std::shared_ptr<runtime::Device>> devices;
  const int gpus = runtime::CudaDevice::count();
  for (int ordinal = 0; ordinal < gpus; ++ordinal) devices.push_back(runtime::CudaDevice::open(ordinal));
  devices.push_back(std::make_shared<runtime::HostDevice>());
  return devices;
}

Json json_of(const runtime::Device& device) {
  Json json = cli::json_of(device.identity(), device.label());
  if (device.target() == Target::cuda) {
    json["memory_bytes"] = device.limits().memory_bytes;
    json["l2_bytes"] = device.limits().l2_bytes;
    json["driver"] = device.driver_version();
  }
  return json;
}

std::string describe(const runtime::Device& device) {
  if (device.target() == Target::host) {
    return fmt::format(
        "{:<8}  compiles the generated source for this machine's CPU and runs it on fibers: correct but slow\n",
        device.label());
  }
  const DeviceIdentity& identity = device.identity();
  return fmt::format("{:<8}  {}, compute capability {}.{}, {} multiprocessors, {:.1f} GiB, driver {}\n", device.label(),
                     identity.name, identity.compute_major, identity.compute_minor, identity.multiprocessors,
                     static_cast<double>(device.limits().memory_bytes) / (1u << 30), device.driver_version());
}

int devices_verb(Io& io) {
  Json list = Json::array();
  for (const std::shared_ptr<runtime::Device>& device : all_devices()) {
    if (io.json) {
      list.push_back(json_of(*device));
    } else {
      io.out() << describe(*device);
    }
  }
  if (io.json) io.print({{"devices", list}});
  return 0;
}

}  // namespace

void add_devices(CLI::App& command, Action& action) {
  CLI::App* const verb = command.add_subcommand("devices", "List the devices that kernels can run on");
  verb->footer("`upsweep doctor` says why a GPU may be missing from the list.\nExample:\n  upsweep devices");
  verb->callback([&action] { action = devices_verb; });
}

}  // namespace upsweep::cli
