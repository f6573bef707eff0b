#include "tuner/session/prune.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "generator/schedule.hpp"

namespace upsweep::tuner {
namespace {

// Bytes a thread. A few spilled words cost little; no config that spilled more than this was among the best of an
// H200's recorded spaces (tests/tuner/recordings).
constexpr int most_spilled_bytes = 128;

// Registers are given to warps in units of 256, the same on every architecture since sm_50 (CUDA C++ Programming Guide,
// "Compute Capabilities").
int allocated_registers(int threads, int registers_per_thread) {
  constexpr int unit = 256, warp = 32;
  const int warps = (threads + warp - 1) / warp;
  return warps * ((registers_per_thread * warp + unit - 1) / unit * unit);
}

}  // namespace

std::string reason_to_prune(const StepResources& compiled, const LaunchRule& launch, const DeviceLimits& limits) {
  if (compiled.spill_bytes > most_spilled_bytes) {
    return fmt::format("spills {} bytes per thread, more than the limit of {}", compiled.spill_bytes,
                       most_spilled_bytes);
  }
  const int needed = allocated_registers(launch.threads_per_block, compiled.registers);
  if (limits.registers_per_multiprocessor > 0 && needed > limits.registers_per_multiprocessor) {
    return fmt::format("a block of {} threads with {} registers each needs {} registers, but a multiprocessor has {}",
                       launch.threads_per_block, compiled.registers, needed, limits.registers_per_multiprocessor);
  }
  return {};
}

std::vector<Pruner::Step> Pruner::steps_of(const Config& config) const {
  std::vector<Step> steps;
  for (Recipe& recipe : find_schedule(problem_, config.schedule).recipes(problem_, config)) {
    steps.push_back({recipe.launch, std::move(recipe.workspace), std::move(recipe.scratch)});
  }
  return steps;
}

std::vector<LaunchRule> Pruner::launches_of(const Config& config) const {
  std::vector<LaunchRule> launches;
  for (const Step& step : steps_of(config)) launches.push_back(step.launch);
  return launches;
}

std::string Pruner::reason(const CompileResult& compiled) const {
  if (compiled.steps.empty()) return {};
  const std::vector<LaunchRule> launches = launches_of(compiled.config);
  for (std::size_t i = 0; i < std::min(launches.size(), compiled.steps.size()); ++i) {
    std::string reason = reason_to_prune(compiled.steps[i], launches[i], limits_);
    if (!reason.empty()) return reason;
  }
  return {};
}

std::optional<Config> Pruner::twin_of(const CompileResult& compiled) const {
  const auto same = by_binary_.find(compiled.binary);
  if (compiled.binary.empty() || same == by_binary_.end()) return std::nullopt;
  const std::vector<Step> steps = steps_of(compiled.config);
  for (const Noted& noted : same->second) {
    if (noted.steps == steps) return noted.config;
  }
  return std::nullopt;
}

void Pruner::note(const CompileResult& compiled) {
  if (compiled.binary.empty()) return;
  by_binary_[compiled.binary].push_back({steps_of(compiled.config), compiled.config});
}

}  // namespace upsweep::tuner
