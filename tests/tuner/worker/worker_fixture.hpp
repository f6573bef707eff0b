// Real workers on the host device.
#pragma once

#include <gtest/gtest.h>

#include <upsweep/error.hpp>

#include "runtime/host/host_device.hpp"
#include "tests/support/space_points.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tuner/worker/scratch_folder.hpp"
#include "tuner/worker/worker_runner.hpp"

namespace upsweep::tuner {

inline const Problem runner_problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 300);

class WorkerTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { scratch = new ScratchFolder; }
  static void TearDownTestSuite() { delete scratch; }

  [[nodiscard]] WorkerSettings settings(const std::string& faults = {}) const {
    WorkerSettings settings{.command = {UPSWEEP_WORKER_COMMAND, "worker"}, .variables = scratch->variables()};
    settings.variables.emplace_back("UPSWEEP_WORKER_FAULTS", faults);
    return settings;
  }
  [[nodiscard]] WorkerRunner runner(const std::string& faults = {}) const {
    return WorkerRunner(device, {.worker = settings(faults),
                                 .problem = runner_problem,
                                 .deadlines = {.multiple = 3, .least = std::chrono::milliseconds(500)}});
  }
  // Small ones, to keep the host compiler's time short; 0 is the default.
  [[nodiscard]] Config config_of(int number) const {
    const Space space(runner_problem, device.limits());
    Config config = space.default_config();
    if (number > 0) config = test::neighbours(space, config).at(static_cast<std::size_t>(number - 1));
    return config;
  }

  static inline ScratchFolder* scratch = nullptr;
  runtime::HostDevice device;
  RunRequest request{.size = runner_problem.size, .samples = 3};
};

}  // namespace upsweep::tuner
