// The status line of `upsweep bench`.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>

#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

#include "cli/io.hpp"

namespace upsweep::cli {

// "3 of 40: inclusive_scan plus i32, 2^20 items, 2 min 10 s left", until it is asked to stop.
class BenchProgress {
 public:
  // The problems must outlive it.
  BenchProgress(Io& io, std::span<const Problem> problems, Target target, std::stop_token stop);
  // The next one is measured from now on.
  void begin(const Problem& problem);

 private:
  using Clock = std::chrono::steady_clock;
  // In which problems take equal time: the host device takes as long as there are items.
  [[nodiscard]] double weight(const Problem& problem) const;
  [[nodiscard]] std::string line() const;

  Target target_;
  std::stop_token stop_;
  std::size_t count_;
  double all_ = 0;
  mutable std::mutex mutex_;  // of what follows
  Clock::time_point begin_ = Clock::now();
  std::size_t number_ = 0;  // of the one that is measured, from 1
  double done_ = 0;
  double doing_ = 0;
  std::string what_;
  Ticker ticker_;  // last: its thread uses the others
};

}  // namespace upsweep::cli
