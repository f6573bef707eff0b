// Tuning from a program: measures configs of one problem at one size on this device, and computes with the winner.
// Prints the device, the times of the default config and of the winner, and why the plan afterwards takes the winner.
// The results go into a database of the example's own; without TuneOptions::database and ContextOptions::database they
// go into the user's, where the upsweep command and every other program find them.
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <vector>

#include <unistd.h>

#include "device_array.hpp"

int main() try {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("upsweep-example-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  upsweep::Context context({.database = (folder / "tuning.sqlite").string()});
  std::printf("device: %s\n", context.device().c_str());

  // On the CPU a small size and few configs, because there a GPU is only imitated.
  const std::size_t n = is_gpu(context) ? 1 << 22 : 1000;
  const upsweep::Problem problem = upsweep::make_problem(upsweep::Algorithm::inclusive_scan, upsweep::plus,
                                                         upsweep::Type::f32, upsweep::Type::f32, n);
  upsweep::TuneOptions options;
  options.sizes = {n};
  options.budget = std::chrono::seconds(10);
  options.maximum_trials = is_gpu(context) ? 0 : 3;  // 0: as many as the budget allows
  options.progress = [](const upsweep::TuneProgress& progress) {
    std::printf("\r%d configs measured, %d failed", progress.trials, progress.failures);
    std::fflush(stdout);
  };
  const upsweep::TuneReport report = upsweep::tune(context, problem, options);
  const upsweep::TunedSize& tuned = report.sizes.at(0);
  std::printf("\ndefault: %.1f us\nwinner:  %.1f us\n", tuned.default_us, tuned.winner_us);

  // From now on every call of this problem near this size takes the winner.
  const upsweep::Plan plan = context.plan(problem);
  std::printf("the plan is %s: %s\n%s\n", plan.rung().c_str(), plan.reason().c_str(),
              upsweep::to_json(plan.config()).c_str());
  DeviceArray<float> in(context, n);
  DeviceArray<float> out(context, n);
  in.copy_from(std::vector<float>(n, 1.0f));
  plan.run(in.data(), out.data(), n);
  const bool correct = out.values().back() == static_cast<float>(n);

  std::filesystem::remove_all(folder);
  return correct && plan.rung() == "exact" && plan.config() == tuned.winner ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
