// Makes the runner and the compilers of a tune, in worker processes where there are any.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <upsweep/problem.hpp>
#include <upsweep/tune.hpp>

#include "runtime/engine.hpp"
#include "tuner/compile/compilations.hpp"
#include "tuner/worker/runner.hpp"
#include "tuner/worker/scratch_folder.hpp"
#include "tuner/worker/worker_runner.hpp"

namespace upsweep::tuner {

struct BackendOptions {
  Isolation isolation = Isolation::automatic;
  std::string worker;  // the upsweep command to run workers with; empty: see find_worker
  std::uint64_t seed = 1;
  int compilers = 0;  // at the same time; 0: default_compilers()
  Deadlines deadlines = {};
};

// What tries candidates of one problem. The engine must outlive it.
class Backend {
 public:
  // problem.size as InProcessRunner takes it. Throws DeviceError, or UsageError where workers are asked for and there
  // are none.
  Backend(runtime::Engine& engine, const Problem& problem, const BackendOptions& options);

  [[nodiscard]] Runner& runner() noexcept { return *runner_; }
  // What it compiles, the runner need not compile again.
  [[nodiscard]] Compilations& compilers() noexcept { return *compilers_; }

 private:
  // Empty, or why there is no worker.
  [[nodiscard]] std::string use_workers(runtime::Engine& engine, const Problem& problem, const BackendOptions& options);
  void work_here(runtime::Engine& engine, const Problem& problem, const BackendOptions& options);

  std::optional<ScratchFolder> scratch_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Compilations> compilers_;
};

}  // namespace upsweep::tuner
