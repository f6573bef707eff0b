// CUDA events, kept for the next time: making one takes as long as a small kernel.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "runtime/cuda/driver.hpp"

namespace upsweep::runtime {

// The context must be current in all calls, and when it is destroyed. Thread-safe.
class Events {
 public:
  explicit Events(const Driver& driver) : driver_(driver) {}
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events();

  [[nodiscard]] bool empty() const noexcept { return made_ == 0; }  // none was made

  // Some of them, until it goes out of scope.
  class Lent {
   public:
    Lent(Events& pool, std::size_t count) : pool_(pool), events_(pool.take(count)) {}
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    ~Lent() { pool_.put_back(events_); }
    // The next one, recorded on the stream now. Throws DeviceError.
    void mark(CUstream stream);
    // Microseconds from each mark to the next one; waits for the last. Throws DeviceError.
    [[nodiscard]] std::vector<double> between() const;

   private:
    Events& pool_;
    std::vector<CUevent> events_;
    std::size_t marked_ = 0;
  };

 private:
  [[nodiscard]] std::vector<CUevent> take(std::size_t count);
  void put_back(const std::vector<CUevent>& events) noexcept;

  const Driver& driver_;
  std::mutex mutex_;
  std::vector<CUevent> free_;
  std::size_t made_ = 0;
};

}  // namespace upsweep::runtime
