// upsweep doctor: what was found on this machine, what is missing, and what to do about it.
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/config_space.hpp>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "base/environment.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "runtime/cache/binary_cache.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "runtime/host/host_compiler.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::cli {
namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string what;
  bool ok = false;
  std::string text;  // what was found, or what is missing and what to do
};

// What `look` finds, or the error's message, which says what to do.
template <typename Look>
Finding find(const std::string& what, const Look& look) {
  try {
    return {what, true, look()};
  } catch (const Error& error) {
    return {what, false, error.what()};
  }
}

std::string describe_gpu(int ordinal) {
  const std::shared_ptr<runtime::CudaDevice> device = runtime::CudaDevice::open(ordinal);
  const DeviceIdentity& identity = device->identity();
  return fmt::format("{}, compute capability {}.{}, driver {}", identity.name, identity.compute_major,
                     identity.compute_minor, device->driver_version());
}

// Opening the first GPU says why there is none, from a driver that is missing to one that finds no GPU.
std::vector<Finding> find_gpus() {
  std::vector<Finding> gpus;
  const int count = std::max(runtime::CudaDevice::count(), 1);
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    gpus.push_back(find(fmt::format("cuda:{}", ordinal), [&] { return describe_gpu(ordinal); }));
  }
  return gpus;
}

std::string describe_nvrtc() {
  const runtime::NvrtcCompiler compiler;
  return fmt::format("{} ({})", compiler.version(), compiler.library());
}

// A compiler that is there may still refuse its arguments: it compiles a small kernel.
std::string describe_host_compiler() {
  runtime::HostCompiler compiler;
  const Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1);
  const Config config = ConfigSpace(problem, DeviceLimits{}).default_config();
  (void)compiler.compile(generate(problem, config, Target::host), {});
  return compiler.version();
}

// Makes the folder as the first call would, and writes to it.
std::string describe_cache() {
  const runtime::BinaryCache::Options options = runtime::BinaryCache::from_environment();
  if (!options.enabled) return "switched off by UPSWEEP_CACHE";
  const auto unusable = [&](const std::string& reason) {
    return InputError(
        fmt::format("{} cannot be used ({}), so each process compiles its kernels again: set UPSWEEP_CACHE_DIR to a "
                    "folder of your own",
                    options.directory.string(), reason));
  };
  if (const auto reason = base::Directory::create(options.directory)) throw unusable(*reason);
  std::string reason;
  bool missing = false;
  const std::optional<base::Directory> directory = base::Directory::open(options.directory, reason, missing);
  if (!directory) throw unusable(reason);
  constexpr const char* probe = "doctor";
  if (const auto failure = directory->write(probe, {})) throw unusable(*failure);
  directory->remove(probe);
  return fmt::format("{}, at most {} MiB", options.directory.string(), options.max_bytes >> 20);
}

std::string describe_database() {
  if (const std::string pinned = base::environment("UPSWEEP_PINNED_DB").value_or(""); !pinned.empty()) {
    return fmt::format("{}: UPSWEEP_PINNED_DB names it, and only its results are used ({})", pinned,
                       counted(tuning_db::pinned_winners(pinned).size(), "winner"));
  }
  const fs::path path = tuning_db::Database::path_of();
  if (path.empty()) return "none (UPSWEEP_DB=none): only shipped results are used";
  if (!tuning_db::Database::is_there(path)) {
    fs::path folder = fs::absolute(path).parent_path();
    while (!fs::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
      throw DatabaseError(fmt::format(
          "{} cannot be created, because the folder {} cannot be written: set UPSWEEP_DB to a path that can be written",
          path.string(), folder.string()));
    }
    return fmt::format("{}: does not exist yet; `upsweep tune` creates it", path.string());
  }
  const tuning_db::Database database(path, tuning_db::Database::Mode::read_only);
  const tuning_db::CheckReport report = database.check();
  if (!report.ok()) {
    throw DatabaseError(fmt::format("{}: {} found; `upsweep db check` shows more", path.string(),
                                    counted(report.problems.size(), "error")));
  }
  return fmt::format("{}: {}, {}", path.string(), counted(report.trials, "trial"), counted(report.winners, "winner"));
}

struct Diagnosis {
  std::vector<Finding> gpus;
  Finding nvrtc;
  Finding host;
  Finding cache;
  Finding database;

  [[nodiscard]] bool gpu_usable() const { return gpus.front().ok && nvrtc.ok; }
  [[nodiscard]] bool usable() const { return gpu_usable() || host.ok; }
  [[nodiscard]] std::vector<Finding> all() const {
    std::vector<Finding> findings = gpus;
    findings.insert(findings.end(), {nvrtc, host, cache, database});
    return findings;
  }
  [[nodiscard]] std::string verdict() const {
    if (gpu_usable()) return "kernels run on the GPU";
    if (host.ok) {
      const char* const missing = nvrtc.ok          ? "the NVIDIA driver"
                                  : gpus.front().ok ? "NVRTC"
                                                    : "the NVIDIA driver and NVRTC";
      return fmt::format("kernels run on the host device only; for a GPU, install {}", missing);
    }
    return "kernels cannot run: a GPU needs the NVIDIA driver and NVRTC, and the host device needs a C++ compiler";
  }
};

Diagnosis diagnose() {
  return {.gpus = find_gpus(),
          .nvrtc = find("NVRTC", describe_nvrtc),
          .host = find("C++ compiler", describe_host_compiler),
          .cache = find("cache", describe_cache),
          .database = find("tuning database", describe_database)};
}

int doctor(Io& io) {
  const Diagnosis diagnosis = diagnose();
  if (io.json) {
    Json findings = Json::array();
    for (const Finding& each : diagnosis.all()) {
      findings.push_back({{"what", each.what}, {"ok", each.ok}, {"text", each.text}});
    }
    io.print({{"findings", findings},
              {"gpu", diagnosis.gpu_usable()},
              {"host", diagnosis.host.ok},
              {"verdict", diagnosis.verdict()}});
  } else {
    for (const Finding& each : diagnosis.all()) {
      io.out() << fmt::format("{:<8} {:<16} {}\n", each.ok ? "found" : "MISSING", each.what, each.text);
    }
    io.out() << diagnosis.verdict() << '\n';
  }
  return diagnosis.usable() ? 0 : static_cast<int>(ErrorKind::device);
}

}  // namespace

void add_doctor(CLI::App& command, Action& action) {
  CLI::App* const verb =
      command.add_subcommand("doctor", "Check driver, NVRTC, compiler, cache and database, and say what is missing");
  verb->footer(
      "The exit code is 0 if kernels can run on a GPU or on the host device, otherwise 4.\nExample:\n  upsweep doctor");
  verb->callback([&action] { action = doctor; });
}

}  // namespace upsweep::cli
