// Decides which of a launch's threads runs next, and which are held back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/host/block.hpp"
#include "runtime/host/random.hpp"
#include "runtime/host/schedule.hpp"

namespace upsweep::runtime {

// The threads that can run: a ring, with room for all resident ones.
class HostQueue {
 public:
  void grow(std::size_t capacity);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  void push(HostThread& thread) noexcept { slot(size_++) = &thread; }
  [[nodiscard]] HostThread*& slot(std::size_t index) noexcept {
    const std::size_t at = first_ + index;
    return ring_[at < ring_.size() ? at : at - ring_.size()];
  }
  // Takes the thread at an index; the first one takes its place.
  HostThread& take(std::size_t index) noexcept {
    HostThread* const taken = slot(index);
    slot(index) = slot(0);
    first_ = first_ + 1 == ring_.size() ? 0 : first_ + 1;
    --size_;
    return *taken;
  }

 private:
  std::vector<HostThread*> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

// In random order, threads are also held back: a single one, a warp, a block, or all but one warp, for up to some
// thousand turns, as long as any other can run. What a barrier would have made the others wait for comes late then.
class HostTurns {
 public:
  HostTurns(const HostSchedule& schedule, HostRandom& random);

  void make_room(std::size_t threads) { queue_.grow(threads); }
  [[nodiscard]] bool empty() const noexcept { return queue_.size() == 0; }
  void push(HostThread& thread) noexcept { queue_.push(thread); }
  // Of those that can run.
  [[nodiscard]] HostThread& next();
  // Whether another thread is to run first.
  [[nodiscard]] bool preempts() noexcept { return random_.chance(preempt_probability_); }
  // Blocks that start at the same time do not begin to run at the same time.
  void start(HostBlock& block);
  // Holds a thread back for up to some thousand turns, as long as any other can run.
  void delay(HostThread& thread);

 private:
  void begin_stall(HostThread& thread);
  void hold_back(HostThread* first, std::size_t count);
  [[nodiscard]] std::size_t waits_least() noexcept;
  [[nodiscard]] bool is_held_back(std::size_t index) noexcept { return queue_.slot(index)->held_until > turns_; }

  HostRandom& random_;
  bool random_order_;
  double preempt_probability_;
  HostQueue queue_;
  std::uint64_t turns_ = 0;
  std::uint64_t next_stall_ = 0;     // the turn at which the next one begins
  std::uint32_t stall_period_ = 0;   // turns from one stall to the next, at most
  std::uint32_t longest_stall_ = 0;  // turns
};

}  // namespace upsweep::runtime
