// Tuning: measures configs of a problem's space on the device and remembers the winners.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/context.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

struct TuneProgress {
  std::uint64_t size = 0;    // items being tuned for
  int trials = 0;            // done so far, all sizes
  int failures = 0;          // of these, failed or wrong
  double best_us = 0;        // best median so far at this size
  double default_us = 0;     // median of the default config at this size
  double fraction_done = 0;  // of the budget
};

struct TuneOptions {
  std::vector<std::uint64_t> sizes{std::uint64_t{1} << 24};  // items; each is tuned for its size class
  std::chrono::milliseconds budget{60'000};                  // for all sizes together
  int maximum_trials = 0;                                    // for each size; 0: as many as the budget allows
  std::uint64_t seed = 1;                                    // of the search and of the data
  std::string database;                                      // path; empty: the context's
  std::stop_token stop;                               // ends after the trial in flight; what was measured is kept
  std::function<void(const TuneProgress&)> progress;  // called after each trial
};

struct TunedSize {
  std::uint64_t size = 0;
  Config winner;
  double winner_us = 0;   // median
  double default_us = 0;  // median of the built-in default, measured interleaved with the winner
  int trials = 0;
  int failures = 0;
};

struct TuneReport {
  std::vector<TunedSize> sizes;
  bool stopped = false;  // by the stop token
};

// Measures configs of the problem's space for each size, with device events, on inputs that rotate through more than
// the L2 cache holds. A candidate's output is checked against a sequential reference before it is timed; a wrong one is
// recorded as wrong and never wins. Each trial is a row of the database, written as it happens. The context's plans are
// refreshed at the end, so that its next calls use the winners. problem.size is ignored.
// Throws UsageError (invalid problem or sizes), DeviceError (not even the default config runs), DatabaseError.
TuneReport tune(Context& context, const Problem& problem, const TuneOptions& options);

}  // namespace upsweep
