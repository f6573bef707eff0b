#include "tuner/worker/held_kernels.hpp"

#include <algorithm>

#include <upsweep/error.hpp>

#include "runtime/machine_code.hpp"

namespace upsweep::tuner {

HeldKernel& HeldKernels::load(const Config& config) {
  losers_.erase(config);
  auto at = kernels_.find(config);
  if (at == kernels_.end()) {
    for (const Source& source : generate_steps(problem_, config, engine_.device().target())) {
      if (!engine_.kernels().holds(source.key)) own_[config].push_back(source.key);
    }
    Plan plan = engine_.plan(problem_, config, stream_);
    std::vector<std::string> machine_code;
    for (const auto& step : plan.state().steps) machine_code.push_back(step->machine_code);
    Candidate candidate(engine_.device(), std::move(plan), stream_);
    HeldKernel kernel{std::move(candidate), runtime::combined_machine_code(machine_code)};
    at = kernels_.try_emplace(config, std::move(kernel)).first;
  }
  return at->second;
}

void HeldKernels::keep_only(std::span<const Config> configs) {
  let_go_of_losers();  // of the last time
  for (const auto& kernel : kernels_) losers_.insert(kernel.first);
  for (const auto& kernel : own_) losers_.insert(kernel.first);
  for (const Config& config : configs) losers_.erase(config);
}

void HeldKernels::let_go(const Config& config) {
  kernels_.erase(config);
  if (const auto own = own_.find(config); own != own_.end()) {
    for (const std::string& key : own->second) engine_.kernels().drop(key);
    own_.erase(own);
  }
}

void HeldKernels::let_go_of_losers() {
  if (losers_.empty() || ruined_) return;
  engine_.device().synchronize(stream_);
  for (const Config& config : losers_) let_go(config);
  losers_.clear();
}

bool HeldKernels::make_room() {
  if (losers_.empty() && !places_) return false;
  places_.reset();
  let_go_of_losers();
  return true;
}

void HeldKernels::forget_memory() {
  engine_.device().synchronize(stream_);
  let_go_of_losers();
  places_.reset();
  for (auto& kernel : kernels_) kernel.second.series.clear();
}

void HeldKernels::end_series_of_losers() {
  for (const Config& loser : losers_) {
    if (const auto at = kernels_.find(loser); at != kernels_.end()) at->second.series.clear();
  }
}

bool HeldKernels::make_places(std::span<const Config> configs) {
  std::uint64_t bytes = 0;
  for (const Config& config : configs) bytes = std::max(bytes, load(config).candidate.workspace_bytes());
  if (bytes == 0) return false;
  if (places_ && places_->have_room(configs.size(), bytes)) return true;
  places_.reset();
  try {
    places_.emplace(engine_.device(), configs.size(), bytes);
  } catch (const DeviceError&) {
    return false;  // if the device is at fault, that shows at once
  }
  return true;
}

void HeldKernels::move(std::span<const Config> configs) {
  for (std::size_t i = 0; i < configs.size(); ++i) load(configs[i]).candidate.move(places_->at(i, moves_));
  ++moves_;
}

void HeldKernels::return_home() {
  for (auto& kernel : kernels_) kernel.second.candidate.return_home();
}

}  // namespace upsweep::tuner
