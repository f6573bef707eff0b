// tune() for engines. The public tune() takes contexts.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <upsweep/tune.hpp>

#include "runtime/engine.hpp"

namespace upsweep::tuner {

// As upsweep::tune; the engine is refreshed however it ends.
TuneReport tune(runtime::Engine& engine, const Problem& problem, const TuneOptions& options);
std::vector<TuneReport> tune(std::span<runtime::Engine* const> engines, std::span<const TuneJob> jobs,
                             const TuneOptions& options,
                             const std::function<void(const TuneJob&, const std::string& reason)>& failed);
[[nodiscard]] std::vector<TuneJob> built_in_jobs(const runtime::Device& device);

}  // namespace upsweep::tuner
