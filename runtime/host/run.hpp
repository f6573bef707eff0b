// One launch on the host device: every thread of a block is a fiber, and all run on the calling host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <boost/context/fiber.hpp>

#include "runtime/device.hpp"
#include "runtime/host/block.hpp"
#include "runtime/host/interface.hpp"
#include "runtime/host/random.hpp"
#include "runtime/host/schedule.hpp"
#include "runtime/host/stacks.hpp"
#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

// The threads that can run: a ring, with room for all resident ones.
class HostQueue {
 public:
  explicit HostQueue(std::size_t capacity) : ring_(capacity) {}
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

class HostRun {
 public:
  HostRun(HostCall call, void** arguments, const Launch& launch, const HostSchedule& schedule, std::uint64_t seed,
          HostStacks& stacks);
  HostRun(const HostRun&) = delete;
  HostRun& operator=(const HostRun&) = delete;
  ~HostRun();

  // To the end of the last block. Throws DeviceError where the kernel does what no device allows or gets stuck, and
  // what a primitive threw; the fibers are unwound by the destructor.
  void run();

  // The primitives, for the thread that runs now.
  [[nodiscard]] static HostRun& current() noexcept;
  [[nodiscard]] const HostPosition& position() const noexcept { return thread_->position; }
  void block_barrier();
  void warp_barrier();
  void shuffle(void* value, std::uint32_t bytes, HostShuffle kind, std::int32_t argument);
  [[nodiscard]] std::uint32_t ballot(bool predicate);
  [[nodiscard]] void* static_shared(std::uint64_t bytes);
  [[nodiscard]] void* dynamic_shared(std::uint64_t bytes);
  void load(void* to, const void* from, std::uint32_t bytes, HostOrder order);
  void store(void* to, const void* from, std::uint32_t bytes, HostOrder order);
  [[nodiscard]] std::uint32_t add(std::uint32_t* to, std::uint32_t value, HostOrder order);
  void wait();

 private:
  // Blocks and threads coming and going.
  void start_block(HostBlock& block);
  [[nodiscard]] std::uint32_t choose_block();
  void start_thread(HostBlock& block, std::size_t slot, std::uint32_t thread);
  void end_thread(HostThread& thread);
  void fill(const SharedBytes& shared);

  // Switching.
  [[nodiscard]] HostThread& choose_thread();
  void suspend() { scheduler_ = std::move(scheduler_).resume(); }
  void yield();
  void maybe_preempt();
  void count_poll(std::uint64_t weight);

  // Meetings of a warp or block.
  void meet(HostState kind, std::uint32_t bytes);
  void check_meeting(const HostThread& self, const HostWarp& warp, HostState kind, std::uint32_t bytes);
  void exchange(HostThread* lanes, HostState kind, std::uint32_t bytes);
  void wake(HostThread* first, std::size_t count);
  void join_views(HostThread* first, std::size_t count);

  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] std::string where_all_stand() const;

  HostCall call_;
  void** arguments_;
  HostSchedule schedule_;
  HostRandom random_;
  HostStacks& stacks_;
  std::uint32_t blocks_;
  std::uint32_t threads_per_block_;
  std::uint32_t started_ = 0;              // blocks, or in random order the end of the window
  std::vector<std::uint32_t> candidates_;  // in random order: blocks that may start next
  std::size_t live_ = 0;                   // resident blocks
  std::uint64_t polls_ = 0;                // since anybody last made progress
  std::uint64_t choices_ = 0;
  const HostBlock* stalled_ = nullptr;  // picked less often for a while
  WeakMemory memory_;
  std::vector<HostStack> stack_of_;  // thread t of resident block r has stack r * threads_per_block + t
  std::vector<HostBlock> resident_;
  HostQueue queue_;
  HostThread* thread_ = nullptr;
  boost::context::fiber scheduler_;
  std::exception_ptr failure_;
};

}  // namespace upsweep::runtime
