// Decides how long batches of work are, so that the device seldom waits for what happens between them.
#pragma once

#include <algorithm>

namespace upsweep::tuner {

// From one batch of work to the next, a device waits for a while that hardly depends on how long they are: for
// messages, and for kernels that are loaded. How long is the host's: 2 ms on a fast machine, 4 on a slow one.
class BatchSizing {
 public:
  // At the begin of each batch: the time, and how much of the time so far the device was busy; microseconds.
  void begin(double now_us, double busy_us) {
    if (begun_) {
      const double waited_us = std::max((now_us - now_us_) - (busy_us - busy_us_), 0.0);
      constexpr double share = 0.125;  // of the latest in the mean
      // Once in a while the device waits for something else, and long.
      waits_us_ += share * (std::min({waited_us, 4 * waits_us_, most_us / ratio}) - waits_us_);
    }
    begun_ = true;
    now_us_ = now_us;
    busy_us_ = busy_us;
  }

  // For which the device should be given work, so that between batches it waits a twenty-fourth as long; or longer,
  // where the longest batch is too short for that.
  [[nodiscard]] double batch_us() const { return std::clamp(ratio * waits_us_, least_us, most_us); }

 private:
  static constexpr double ratio = 24;
  static constexpr double least_us = 12'000;
  static constexpr double most_us = 96'000;

  bool begun_ = false;
  double now_us_ = 0;
  double busy_us_ = 0;
  double waits_us_ = 2200;  // between two batches, in the mean
};

}  // namespace upsweep::tuner
