// What `upsweep tune` says while it works and when it is done.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <upsweep/tune.hpp>

#include "cli/arguments.hpp"
#include "cli/io.hpp"

namespace upsweep::cli {

// Keeps the user informed, but not more often than one can read.
class TuneTicker {
 public:
  explicit TuneTicker(Io& io) : io_(&io) {}
  void operator()(const TuneProgress& now);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string remaining(double done) const;

  Io* io_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point said_ = begin_;
};

struct TuneFailure {
  std::string problem;
  std::string reason;
};

[[nodiscard]] Json document(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures);
// One problem: a row a size. Several: a row a problem.
[[nodiscard]] std::string tables(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures);

}  // namespace upsweep::cli
