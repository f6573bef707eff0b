// What compiles and runs the candidates of a problem: processes of their own, or this one.
#pragma once

#include <memory>

#include <upsweep/tune.hpp>

#include "runtime/engine.hpp"
#include "tuner/compilations.hpp"
#include "tuner/runner.hpp"

namespace upsweep::tuner {

struct Workshop {
  std::unique_ptr<Compilations> compilations;
  std::unique_ptr<Runner> runner;
};

// `problem` has the greatest size that will be asked for. The engine must outlive the workshop. Throws UsageError where
// worker processes are asked for and no upsweep command is found, and DeviceError.
[[nodiscard]] Workshop open_workshop(runtime::Engine& engine, const Problem& problem, const TuneOptions& options);

}  // namespace upsweep::tuner
