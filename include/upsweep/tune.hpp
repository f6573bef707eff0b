/// @file
/// Tuning: measures configs on a device and records the fastest.
#pragma once

#include <upsweep/export.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/context.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/restriction.hpp>

namespace UPSWEEP_API upsweep {

/// In which process candidates run. A candidate is a config that is being measured.
enum class Isolation : std::uint8_t {
  automatic,  ///< In worker processes if the upsweep command is found; otherwise in this process, with a warning.
  worker,     ///< In worker processes; UsageError if the upsweep command is not found.
  in_process  ///< In this process: a candidate that crashes or hangs takes the process with it.
};

/// The state of a tune, passed to TuneOptions::progress.
struct TuneProgress {
  std::string device{};      ///< For example "cuda:0".
  Problem problem{};         ///< Its size is the number of items that is being tuned for.
  int trials = 0;            ///< Configs tried so far, over all sizes of the problem.
  int failures = 0;          ///< How many of these failed or gave wrong results.
  double best_us = 0;        ///< Best median so far at this size, in microseconds.
  double default_us = 0;     ///< Median of the default config at this size, in microseconds.
  double fraction_done = 0;  ///< Fraction of the problem's budget that is used, 0 to 1.
  int jobs_done = 0;         ///< Problems that are done, over all devices.
  int jobs = 1;              ///< Problems, over all devices.
};

/// The result of a tune for one size.
struct TunedSize {
  std::uint64_t size = 0;  ///< Number of items.
  Config winner{};         ///< The fastest config.

  /// Median time of the winner, in microseconds. (The final compares configs by trimmed means.)
  double winner_us = 0;
  /// Median time of the built-in default, measured in turn with the winner, in microseconds; 0 if the default failed.
  double default_us = 0;
  int trials = 0;    ///< Configs tried in this run.
  int failures = 0;  ///< How many of these failed or gave wrong results.
  int pruned = 0;    ///< How many of these were compiled but not measured.
  int earlier = 0;   ///< Configs that were known from earlier runs.

  /// Median relative difference of two measurements of the same config; 0 if this was not measured.
  double noise = 0;
};

/// A size that was not tuned, with the reason.
struct SizeLeftOut {
  std::uint64_t size = 0;  ///< Number of items.
  std::string reason{};    ///< One line.
};

/// The result of tune() for one problem.
struct TuneReport {
  Problem problem{};                       ///< Its size has no meaning.
  std::string device{};                    ///< For example "cuda:0".
  std::vector<TunedSize> sizes{};          ///< One entry for each size that has a winner.
  bool stopped = false;                    ///< Whether the stop token ended the tune.
  double measuring_seconds = 0;            ///< Time from the first compiled config to the end.
  double busy_seconds = 0;                 ///< The part in which the device ran timed calls, by its own clock.
  double waiting_seconds = 0;              ///< The part in which all remaining configs were being compiled.
  std::vector<SizeLeftOut> left_out = {};  ///< Sizes that were not tuned, because the time ended.
  /// Number of winners that were found for the sizes below and above the powers of two in `sizes`.
  int side_winners = 0;
};

/// Options of tune().
struct TuneOptions {
  std::vector<std::uint64_t> sizes{std::uint64_t{1} << 24};  ///< Numbers of items; each is tuned for its size class.

  /// Time for all sizes of a problem together. A trial that still runs one second after the end is cut off. Sizes that
  /// were not reached are left out. After the set-up, the tune has at least one second. On the host device, which is
  /// slow, sizes that do not fit in the budget are left out with a warning.
  std::chrono::milliseconds budget{60'000};
  /// Time for all problems together: problems that have not started by then fail. 0 stands for the sum of their
  /// budgets.
  std::chrono::milliseconds total_budget{0};
  /// Most configs for each size, including those of earlier runs; 0: no limit.
  int maximum_trials = 0;
  int patience = 0;        ///< Ends a size after this many configs in a row without a faster one; 0: never.
  std::string strategy{};  ///< Search strategy: "model" (also if empty), "local", "random" or "exhaustive".

  /// Measures only these configs; see restriction_from_text().
  Restriction only{};

  /// Measures only the finalists of earlier tunes again, even if they were measured with another driver or compiler.
  bool refresh = false;
  std::uint64_t seed = 1;                      ///< Seed of the search and of the input data.
  std::string database{};                      ///< Path of the tuning database; empty: the context's.
  Isolation isolation = Isolation::automatic;  ///< In which process candidates run.
  std::string worker{};                        ///< Path of the upsweep command; empty: it is searched for.

  /// Compilers that run at the same time, for each device. 0: seven eighths of the hardware threads, shared by the
  /// devices.
  int compile_jobs = 0;
  /// Ends the tune at once: a trial that takes longer than a moment is cut off. Everything measured so far is kept.
  std::stop_token stop{};
  /// Called after each trial, by one thread at a time.
  std::function<void(const TuneProgress&)> progress{};
  /// Called after each problem of several, by one thread at a time.
  std::function<void(const TuneReport&)> finished{};
};

/// A problem and the sizes to tune it for.
struct TuneJob {
  Problem problem{};                   ///< Its size is ignored.
  std::vector<std::uint64_t> sizes{};  ///< Numbers of items.
};

/// Measures configs of a problem for each size and records the fastest as the winner.
///
/// Times are taken with device events, on inputs that rotate through more memory than the L2 cache holds. Before a
/// config is timed, its output is compared with that of the schedule `sequential` on the same device; a config with
/// wrong results is recorded as wrong and never wins. If the kernel of that schedule fails, no config can be checked,
/// and the tune ends with an error. Each trial is a row of the tuning database, written as soon as it is measured. At
/// the end the context forgets its plans, so that its next calls use the winners. The page "Tuning" describes the
/// method.
/// @param context the device to tune on.
/// @param problem what to tune; problem.size is ignored.
/// @param options sizes, budget and more.
/// @return times and winners for each size.
/// @throws UsageError for an invalid problem, size or option, or if the budget is too short for every size.
/// @throws DeviceError if not even the default config runs.
/// @throws DatabaseError if the tuning database cannot be used.
TuneReport tune(Context& context, const Problem& problem, const TuneOptions& options);

/// Tunes many problems on several devices at the same time, with one thread per device, into one database. Devices of
/// the same identity share the jobs; each other kind of device does all of them.
/// @param contexts of different devices; only the host device may occur more than once.
/// @param jobs problems and sizes.
/// @param options as for one problem; options.sizes is ignored.
/// @param failed called for each job that fails; the other jobs continue.
/// @return one report for each job that ran on each device.
/// @throws UsageError for invalid options or no context.
/// @throws DatabaseError if the tuning database cannot be used.
std::vector<TuneReport> tune(std::span<Context* const> contexts, std::span<const TuneJob> jobs,
                             const TuneOptions& options,
                             const std::function<void(const TuneJob&, const std::string& reason)>& failed);

/// The jobs of `upsweep tune --all`: every built-in problem at every power of two from 2^10 to 2^30 items whose input
/// and output fit in half of the device's memory. On the host device, which is slow, sizes end at 2^14.
[[nodiscard]] std::vector<TuneJob> built_in_jobs(const Context& context);

}  // namespace upsweep
