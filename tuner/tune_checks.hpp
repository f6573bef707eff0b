// What is checked before a tune begins.
#pragma once

#include <filesystem>

#include <upsweep/tune.hpp>

#include "runtime/engine.hpp"

namespace upsweep::tuner {

// Throws UsageError for a problem that is not valid, no sizes, sizes that the device cannot hold, restrictions that no
// config meets, and negative limits.
void check(const runtime::Engine& engine, const Problem& problem, const TuneOptions& options);

// Where results go: the options' database, otherwise the engine's. Throws UsageError if neither names one.
[[nodiscard]] std::filesystem::path database_path(const runtime::Engine& engine, const TuneOptions& options);

}  // namespace upsweep::tuner
