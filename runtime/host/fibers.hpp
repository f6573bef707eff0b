// The scheduler of the host device: the threads of launches are fibers that take turns on the calling host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include <boost/context/fiber.hpp>

#include "runtime/host/block.hpp"
#include "runtime/host/grid.hpp"
#include "runtime/host/random.hpp"
#include "runtime/host/schedule.hpp"
#include "runtime/host/turns.hpp"

namespace upsweep::runtime {

class HostFibers {
 public:
  HostFibers(const HostSchedule& how, std::uint64_t seed) : schedule(how), random(seed), turns_(schedule, random) {}

  const HostSchedule schedule;
  HostRandom random;  // of every choice in these launches

  // ---- for the run that owns the fibers
  void make_room(std::size_t threads) { turns_.make_room(threads); }
  // Makes the fiber of a thread, which gets its first turn later.
  void start(HostThread& thread, const HostStack& stack, const HostLaunch& launch);
  // The threads of a block that has been filled may be held back at first.
  void start(HostBlock& block) { turns_.start(block); }
  [[nodiscard]] bool none_can_run() const noexcept { return turns_.empty(); }
  // Lets one thread run until it is suspended or has ended, and returns it. Rethrows what a primitive threw. Inline, as
  // all that switches is: processors do not predict the returns after a switch.
  HostThread& take_turn() {
    thread_ = &turns_.next();
    thread_->loads = 0;
    {
      const SchedulerSwitch marked(scheduler_mark_, thread_->mark);
      thread_->fiber = std::move(thread_->fiber).resume();
    }
    if (failure_) std::rethrow_exception(failure_);
    return *thread_;
  }
  // Unwinds what has not ended.
  void unwind(HostBlock& block);

  // ---- for primitives
  [[nodiscard]] HostThread& self() const noexcept { return *thread_; }  // the thread that runs
  // Until somebody wakes the thread. Whoever calls this has set its state.
  void suspend() {
    const FiberSwitch marked(thread_->mark, scheduler_mark_);
    scheduler_ = std::move(scheduler_).resume();
  }
  void yield() {
    turns_.push(*thread_);
    suspend();
  }
  void maybe_preempt() {
    if (turns_.preempts()) yield();
  }
  // For a while other threads run first.
  void delay();
  void wake(HostThread& thread);
  // The running thread goes on; the others may run after it.
  void wake_others(HostThread* first, std::size_t count);
  // Calls `work` as if that thread ran.
  template <typename Work>
  void act_as(HostThread& thread, const Work& work) {
    HostThread* const running = std::exchange(thread_, &thread);
    work();
    thread_ = running;
  }
  // Somebody has done what others may wait for.
  void note_progress() noexcept { polls_ = 0; }
  // A load that brings nothing new: 1, or poll_weight if the same word was loaded before.
  static constexpr std::uint64_t poll_weight = 32;
  void note_poll(std::uint64_t weight) noexcept { polls_ += weight; }
  [[nodiscard]] bool only_polls() const noexcept { return polls_ / poll_weight > schedule.poll_limit; }

  [[noreturn]] void fail(const std::string& what) const { fail_at(*thread_, what); }
  // Ends the launch when the thread is next suspended, for callers that must not throw.
  void fail_later(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }
  [[nodiscard]] bool has_failed() const noexcept { return failure_ != nullptr; }

 private:
  HostTurns turns_;
  HostThread* thread_ = nullptr;
  std::uint64_t polls_ = 0;  // since anybody last made progress
  FiberMark scheduler_mark_;
  boost::context::fiber scheduler_;
  std::exception_ptr failure_;
};

}  // namespace upsweep::runtime
