// Prints the progress and the results of `upsweep tune`.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <upsweep/context.hpp>
#include <upsweep/tune.hpp>

#include "cli/arguments.hpp"
#include "cli/io.hpp"

namespace upsweep::cli {

// The status line of a tune, until it is asked to stop.
class TuneTicker {
 public:
  // most: what all of it takes at most.
  TuneTicker(Io& io, std::chrono::milliseconds most, std::stop_token stop);
  void operator()(const TuneProgress& now);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string line() const;
  [[nodiscard]] std::string remaining(double done) const;

  std::chrono::milliseconds most_;
  std::stop_token stop_;
  Clock::time_point begin_ = Clock::now();
  mutable std::mutex mutex_;
  std::optional<TuneProgress> now_;
  Ticker ticker_;  // last: its thread uses the others
};

// "inclusive_scan plus i32 on cuda:0: 21 sizes tuned, 1.31x as fast as the default"
[[nodiscard]] std::string finished_line(const TuneReport& report);

struct TuneFailure {
  std::string problem;
  std::string reason;
};

[[nodiscard]] Json document(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures);
// One problem: a row for each size, with the winner's config. Several: a row for each problem. `contexts` are those
// that were tuned: they know the devices' defaults.
[[nodiscard]] std::string tables(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures,
                                 const std::vector<std::unique_ptr<Context>>& contexts, const Io& io);

}  // namespace upsweep::cli
