// Tuning: measures configs of a problem's space on the device and remembers the winners.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/context.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

// Where candidates run.
enum class Isolation : std::uint8_t {
  automatic,  // in worker processes if the upsweep command is found, else in this process, with a warning
  worker,     // in worker processes, or UsageError
  in_process  // in this process: a candidate that ruins the device or hangs takes the tune with it
};

struct TuneProgress {
  std::string device;        // "cuda:0"
  Problem problem;           // its size: items being tuned for
  int trials = 0;            // configs done so far, all sizes of the problem
  int failures = 0;          // of these, failed or wrong
  double best_us = 0;        // best median so far at this size
  double default_us = 0;     // median of the default config at this size
  double fraction_done = 0;  // of the problem's budget
  int jobs_done = 0;         // problems, of all devices together
  int jobs = 1;
};

struct TuneOptions {
  std::vector<std::uint64_t> sizes{std::uint64_t{1} << 24};  // items; each is tuned for its size class
  std::chrono::milliseconds budget{60'000};                  // for all sizes of a problem together
  int maximum_trials = 0;  // configs for each size, those of earlier runs included; 0: as many as the budget allows
  int patience = 0;        // ends a size after so many configs that were no better than the best; 0: never
  std::string strategy;    // "model" if empty, "local", "random" or "exhaustive"
  // Measures part of the space: "worker_warps=8,12", "schedule=lookahead,lookback".
  std::vector<std::string> only;
  // Measures the finalists of earlier tunes anew, whatever they were measured with, and nothing else.
  bool refresh = false;
  std::uint64_t seed = 1;  // of the search and of the data
  std::string database;    // path; empty: the context's
  Isolation isolation = Isolation::automatic;
  std::string worker;    // path of the upsweep command; empty: looked for
  int compile_jobs = 0;  // at the same time, for each device; 0: all hardware threads but an eighth, shared
  std::stop_token stop;  // ends after the trial in flight; what was measured is kept
  std::function<void(const TuneProgress&)> progress;  // called after each trial, by one thread at a time
};

struct TunedSize {
  std::uint64_t size = 0;
  Config winner;
  double winner_us = 0;   // median; finals compare by trimmed means, at three sizes
  double default_us = 0;  // median of the built-in default, measured interleaved with the winner; 0: it failed
  int trials = 0;         // configs tried in this run
  int failures = 0;       // of these, failed or wrong
  int pruned = 0;         // of these, compiled and not measured
  int earlier = 0;        // configs known from earlier runs
  double noise = 0;       // by how much two measurements of the same config differ: median share; 0: not measured
};

struct TuneReport {
  Problem problem;  // its size has no meaning
  std::string device;
  std::vector<TunedSize> sizes;
  bool stopped = false;          // by the stop token
  double measuring_seconds = 0;  // from the first config that was compiled to the end
  double busy_seconds = 0;       // of these, in which the device was busy with calls that were timed, by its own clock
  double waiting_seconds = 0;    // of these, in which there was nothing to measure: all was still being compiled
};

// A problem and the sizes to tune it for.
struct TuneJob {
  Problem problem;
  std::vector<std::uint64_t> sizes;
};

// Measures configs of the problem's space for each size, with device events, on inputs that rotate through more than
// the L2 cache holds. A candidate's output is checked against a sequential reference before it is timed; a wrong one is
// recorded as wrong and never wins. Each trial is a row of the database, written as it happens. The context's plans are
// refreshed at the end, so that its next calls use the winners. problem.size is ignored.
// Throws UsageError (invalid problem or sizes), DeviceError (not even the default config runs), DatabaseError.
TuneReport tune(Context& context, const Problem& problem, const TuneOptions& options);

// The same for many problems (options.sizes is ignored) on several devices at once, a thread each, into one database.
// Devices of the same identity share the jobs; each other kind of device does them all. A job that fails is reported
// through `failed`, and the others go on. The contexts must be of different devices, except for the host device.
std::vector<TuneReport> tune(std::span<Context* const> contexts, std::span<const TuneJob> jobs,
                             const TuneOptions& options,
                             const std::function<void(const TuneJob&, const std::string& reason)>& failed);

// Every built-in problem at every size class from 2^10 to 2^30 of which input and output fit in half of the device's
// memory; on the host device, which takes minutes for what a GPU does in a millisecond, up to 2^14.
[[nodiscard]] std::vector<TuneJob> built_in_jobs(const Context& context);

}  // namespace upsweep
