// The problems and devices that `upsweep tune` is asked to tune.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <upsweep/context.hpp>
#include <upsweep/tune.hpp>

#include "cli/arguments.hpp"
#include "cli/io.hpp"

namespace upsweep::cli {

struct TuneArguments {
  ProblemArguments problem;
  bool all = false;     // the built-in problems
  bool wanted = false;  // what ran untuned
  bool again = false;   // with the two: also what was tuned in the present environment
  std::vector<std::string> sizes;
  std::string budget = "60s";
  std::string total_budget;  // empty: what the problems' budgets come to
  int maximum_trials = 0;
  int patience = 0;
  std::string strategy;
  std::vector<std::string> only;
  bool refresh = false;
  std::string isolation = "auto";
  int compile_jobs = 0;
  std::uint64_t seed = 1;
  std::string device = "auto";
  std::vector<std::string> devices;  // "all", or names
  std::string database;
};

// Throws UsageError for names that make no list of devices, DeviceError for devices that are not there.
[[nodiscard]] std::vector<std::unique_ptr<Context>> open_contexts(const TuneArguments& arguments);

// Options may list several values of a problem, divided by commas: each combination is a job. Those that cannot exist
// are left out, which is told. Throws UsageError where the arguments do not say what to tune, or say it twice, where a
// value is unknown or malformed, and where no combination can exist. Empty: all of it is tuned.
[[nodiscard]] std::vector<TuneJob> choose_jobs(const TuneArguments& arguments,
                                               const std::vector<std::unique_ptr<Context>>& contexts, Io& io);

}  // namespace upsweep::cli
