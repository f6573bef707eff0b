#include "tuner/worker/backend.hpp"

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/kernel_store.hpp"
#include "runtime/logging.hpp"
#include "tuner/worker/compile_pool.hpp"
#include "tuner/worker/in_process_runner.hpp"

namespace upsweep::tuner {

Backend::Backend(runtime::Engine& engine, const Problem& problem, const BackendOptions& options) {
  if (options.isolation == Isolation::in_process) {
    work_here(engine, problem, options);
    return;
  }
  const std::string reason = use_workers(engine, problem, options);
  if (reason.empty()) return;
  if (options.isolation == Isolation::worker) {
    throw UsageError(
        fmt::format("cannot start a worker process for tuning: {}; set UPSWEEP_WORKER to the upsweep command", reason));
  }
  warn(
      fmt::format("configs are measured in this process, so one that crashes or hangs ends it: {}; set "
                  "UPSWEEP_WORKER to the upsweep command",
                  reason));
  work_here(engine, problem, options);
}

std::string Backend::use_workers(runtime::Engine& engine, const Problem& problem, const BackendOptions& options) {
  FoundWorker found = find_worker(options.worker);
  if (!found.settings) return found.reason;
  scratch_.emplace();
  WorkerSettings settings = *std::move(found.settings);
  for (auto& variable : scratch_->variables()) settings.variables.push_back(std::move(variable));
  try {
    runner_ = std::make_unique<WorkerRunner>(
        engine.device(),
        WorkerRunner::Options{
            .worker = settings, .problem = problem, .seed = options.seed, .deadlines = options.deadlines});
  } catch (const Error& error) {
    scratch_.reset();
    return error.what();
  }
  compilers_ =
      std::make_unique<CompilePool>(CompilePool::Options{.problem = problem,
                                                         .architecture = runtime::architecture_for(engine.device()),
                                                         .worker = std::move(settings),
                                                         .workers = options.compilers});
  return {};
}

void Backend::work_here(runtime::Engine& engine, const Problem& problem, const BackendOptions& options) {
  runner_ = std::make_unique<InProcessRunner>(engine, problem, options.seed);
  compilers_ = std::make_unique<CompilePool>(CompilePool::Options{
      .problem = problem,
      .architecture = runtime::architecture_for(engine.device()),
      .compiler = {std::shared_ptr<void>(), &engine.compiler()},  // the engine's, which outlives this
      .cache = engine.cache(),
      .workers = options.compilers});
}

}  // namespace upsweep::tuner
