// The parts of an engine, as options and the environment say.
#include <array>
#include <atomic>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "generator/names.hpp"
#include "generator/short_config.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "runtime/engine.hpp"
#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"
#include "runtime/nvtx.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::runtime {
namespace {

std::atomic<bool> host_is_announced{true};

// Once for the process: nobody expects to compute without a GPU.
void warn_of_host_device() {
  static std::atomic<bool> warned_of_driver{false};
  static std::atomic<bool> warned{false};
  const std::string reason = what_is_wrong_with_the_driver();
  if (!reason.empty()) {
    if (!warned_of_driver.exchange(true)) warn(fmt::format("computing on the CPU, not on a GPU: {}", reason));
  } else if (host_is_announced && !warned.exchange(true)) {
    warn("no GPU was found: computing on the CPU, which is slow; use the device 'host' to silence this warning");
  }
}

std::shared_ptr<Device> open_device(const std::string& name) {
  if (name == "host") return std::make_shared<HostDevice>();
  if (name == "auto") {
    if (CudaDevice::count() == 0) {
      warn_of_host_device();
      return std::make_shared<HostDevice>();
    }
    return CudaDevice::open(CudaDevice::current().value_or(0));
  }
  if (const std::optional<GpuName> gpu = gpu_named(name)) {
    const int ordinal = gpu->ordinal ? *gpu->ordinal : CudaDevice::current().value_or(0);
    return gpu->part ? CudaDevice::open(ordinal, *gpu->part) : CudaDevice::open(ordinal);
  }
  throw UsageError(unknown_name("device", name, as_names(std::array{"auto", "cuda", "cuda:N", "cuda:N/M", "host"})));
}

// UPSWEEP_FORCE_CONFIG: what --config takes.
std::optional<Config> forced_config() {
  const std::optional<std::string> value = base::environment("UPSWEEP_FORCE_CONFIG");
  if (!value || value->empty()) return std::nullopt;
  try {
    if (std::optional<Config> config = config_from_text(*value)) return config;
    std::ifstream file(*value);
    if (!file) {
      throw UsageError(fmt::format(
          "cannot read the file {}: give a config in its short form or as JSON, or the path of a JSON file", *value));
    }
    return config_from_json((std::ostringstream() << file.rdbuf()).str());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("UPSWEEP_FORCE_CONFIG: {}", error.what()));
  }
}

bool recording_is_off() {
  const std::optional<std::string> value = base::environment("UPSWEEP_RECORD");
  if (!value || *value == "on") return false;
  if (*value == "off") return true;
  throw UsageError(fmt::format("UPSWEEP_RECORD is '{}': use on or off", *value));
}

bool checks_are_asked_for() {
  const std::optional<std::string> value = base::environment("UPSWEEP_CHECK");
  if (!value || *value == "0") return false;
  if (*value == "1") return true;
  throw UsageError(fmt::format("UPSWEEP_CHECK is '{}': use 1 to check the addresses of every call, or 0", *value));
}

std::filesystem::path database_path(const std::string& option) {
  try {
    return tuning_db::Database::path_of(option);
  } catch (const UsageError&) {
    return {};  // no home to look in, as in some containers: the shipped results serve
  }
}

}  // namespace

bool announce_host_device(bool announce) {
  return host_is_announced.exchange(announce);
}

std::shared_ptr<Engine> Engine::open(const ContextOptions& options) {
  return std::make_shared<Engine>(parts(options));
}

Engine::Parts Engine::parts(const ContextOptions& options) {
  check_log_level();
  Parts parts;
  parts.device = open_device(options.device);
  log_info("using {} ({})", parts.device->label(), parts.device->identity().name);
  if (parts.device->target() == Target::host) {
    parts.compiler = std::make_shared<HostCompiler>();
  } else {
    parts.compiler = std::make_shared<NvrtcCompiler>();
  }
  parts.cache = BinaryCache::from_environment();
  parts.database = database_path(options.database);
  parts.pinned =
      options.pinned_database.empty() ? base::environment("UPSWEEP_PINNED_DB").value_or("") : options.pinned_database;
  parts.record_wanted = options.record_wanted && !recording_is_off();
  parts.reproducible = options.reproducible;
  parts.dependent_launch = options.dependent_launch;
  parts.nvtx = nvtx_is_asked_for();
  parts.check_always = checks_are_asked_for();
  parts.forced = forced_config();
  return parts;
}

}  // namespace upsweep::runtime
