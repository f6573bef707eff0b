// upsweep devices: where kernels can run.
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/host/host_device.hpp"

namespace upsweep::cli {
namespace {

// Which parts of a GPU can be named, or why it has no parts.
struct Parts {
  runtime::PartSizes sizes;
  std::string obstacle;  // empty: there are some
};

Parts parts_of(const runtime::CudaDevice& device) {
  try {
    const runtime::PartSizes sizes = device.part_sizes();
    return {sizes, sizes.most == 0 ? "the driver makes no parts of it" : ""};
  } catch (const DeviceError& error) {
    return {{}, error.what()};
  }
}

Json json_of(const runtime::CudaDevice& device) {
  Json json = cli::json_of(device.identity(), device.label());
  json["memory_bytes"] = device.limits().memory_bytes;
  json["l2_bytes"] = device.limits().l2_bytes;
  json["driver"] = device.driver_version();
  const auto [sizes, obstacle] = parts_of(device);
  json["parts"] =
      obstacle.empty() ? Json{{"least", sizes.least}, {"most", sizes.most}, {"step", sizes.step}} : Json(nullptr);
  return json;
}

Json json_of(const runtime::HostDevice& device) {
  return cli::json_of(device.identity(), device.label());
}

std::string describe(const runtime::CudaDevice& device) {
  const DeviceIdentity& identity = device.identity();
  std::string text =
      fmt::format("{:<8}  {}, compute capability {}.{}, {} multiprocessors, {:.1f} GiB, driver {}\n", device.label(),
                  identity.name, identity.compute_major, identity.compute_minor, identity.multiprocessors,
                  static_cast<double>(device.limits().memory_bytes) / (1u << 30), device.driver_version());
  const auto [sizes, obstacle] = parts_of(device);
  if (!obstacle.empty()) return text + fmt::format("{:<8}  no parts: {}\n", "", obstacle);
  return text + fmt::format("{:<8}  parts: {}/{} to {}/{} multiprocessors, in steps of {}\n", "", device.label(),
                            sizes.least, device.label(), sizes.most, sizes.step);
}

std::string describe(const runtime::HostDevice& device) {
  return fmt::format(
      "{:<8}  compiles the generated source for this machine's CPU and runs it on fibers: correct but slow\n",
      device.label());
}

int devices_verb(Io& io) {
  Json list = Json::array();
  const auto add = [&](const auto& device) {
    if (io.json) {
      list.push_back(json_of(device));
    } else {
      io.out() << describe(device);
    }
  };
  const int gpus = runtime::CudaDevice::count();
  for (int ordinal = 0; ordinal < gpus; ++ordinal) add(*runtime::CudaDevice::open(ordinal));
  add(runtime::HostDevice());
  if (io.json) io.print({{"devices", list}});
  return 0;
}

}  // namespace

void add_devices(CLI::App& command, Action& action) {
  CLI::App* const verb = command.add_subcommand("devices", "List the devices that kernels can run on");
  verb->footer(
      "A part of a GPU is a device too: cuda:0/16 is 16 of the multiprocessors of cuda:0.\n"
      "`upsweep doctor` says why a GPU may be missing from the list.\nExample:\n  upsweep devices");
  verb->callback([&action] { action = devices_verb; });
}

}  // namespace upsweep::cli
