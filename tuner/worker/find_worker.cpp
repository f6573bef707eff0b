// Finds the upsweep command that a tune runs as its worker processes.
#include <dlfcn.h>

#include <atomic>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/environment.hpp"
#include "base/find_program.hpp"
#include "tuner/worker/worker_process.hpp"

namespace upsweep::tuner {
namespace {

constexpr const char* in_a_worker = "UPSWEEP_IS_WORKER";

std::atomic<bool> is_the_command{false};

std::filesystem::path running_program() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown);
}

// The folder of libupsweep.so; empty where the library is part of the program.
std::filesystem::path folder_of_shared_library() {
  Dl_info place{};
  if (dladdr(&is_the_command, &place) == 0 || place.dli_fname == nullptr) return {};
  const std::filesystem::path file = place.dli_fname;
  return file.filename().string().starts_with("libupsweep.so") ? file.parent_path() : std::filesystem::path();
}

// Programs to try, in order.
std::vector<std::string> candidates(const std::string& preferred) {
  if (!preferred.empty()) return {preferred};
  if (const auto named = base::environment("UPSWEEP_WORKER")) return {*named};
  std::vector<std::string> programs;
  if (is_the_command) programs.emplace_back("/proc/self/exe");
  if (const auto own = running_program(); !own.empty()) programs.push_back((own.parent_path() / "upsweep").string());
  if (const auto library = folder_of_shared_library(); !library.empty()) {
    programs.push_back((library / UPSWEEP_BINDIR_FROM_LIBRARY "/upsweep").string());
  }
  programs.emplace_back(UPSWEEP_BINDIR "/upsweep");
  programs.emplace_back("upsweep");
  return programs;
}

}  // namespace

void this_is_the_command() {
  is_the_command = true;
}

FoundWorker find_worker(const std::string& preferred) {
  if (base::environment(in_a_worker)) return {std::nullopt, "this process is a worker itself"};
  FoundWorker found;
  std::vector<std::string> missing;
  for (const std::string& candidate : candidates(preferred)) {
    const std::string program = base::find_program(candidate);
    if (program.empty()) {
      missing.push_back(candidate);
      continue;
    }
    WorkerSettings settings{.command = {program, "worker"}, .variables = {{in_a_worker, "1"}}};
    try {
      const WorkerProcess trial(settings);
      found.settings = std::move(settings);
      return found;
    } catch (const DeviceError& error) {
      found.reason += fmt::format("{}{}", found.reason.empty() ? "" : "; ", error.what());
    }
  }
  if (found.reason.empty()) found.reason = fmt::format("there is no program {}", fmt::join(missing, " or "));
  return found;
}

}  // namespace upsweep::tuner
