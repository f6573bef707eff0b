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
#include "runtime/host/copies.hpp"
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
  [[nodiscard]] std::uint64_t add_wide(std::uint64_t* to, std::uint64_t value);
  void wait();
  void phase_init(std::uint64_t* barrier, std::uint32_t arrivals);
  void phase_arrive(std::uint64_t* barrier, std::uint32_t expected_bytes);
  void phase_wait(std::uint64_t* barrier, std::uint32_t parity);
  void async_copy(void* to_shared, const void* from_global);
  void async_arrive(std::uint64_t* barrier);
  void bulk_fence();
  void bulk_in(void* to_shared, const void* from_global, std::uint32_t bytes, std::uint64_t* barrier);
  void bulk_out(void* to_global, const void* from_shared, std::uint32_t bytes);
  void bulk_commit();
  void bulk_wait_read(std::uint32_t pending);
  void arrive_at_cluster();
  void wait_for_cluster();
  [[nodiscard]] void* shared_of_rank(const void* own, std::uint32_t rank);

 private:
  // Blocks and threads coming and going.
  void start_cluster(std::size_t first_slot);
  void start_block(HostBlock& block, std::uint32_t index);
  [[nodiscard]] std::uint32_t choose_cluster();
  void start_thread(HostBlock& block, std::size_t slot, std::uint32_t thread);
  void end_thread(HostThread& thread);
  void end_block(HostBlock& block);
  void spoil(std::byte* data, std::size_t bytes);
  void make_ready(SharedBytes& shared);
  void ready_static_shared(HostBlock& block, std::size_t bytes);

  // Switching.
  [[nodiscard]] HostThread& choose_thread();
  void suspend() { scheduler_ = std::move(scheduler_).resume(); }
  void wake(HostThread& thread);
  void yield();
  void maybe_preempt();
  void count_poll(std::uint64_t weight);

  // Meetings of a warp or block.
  void meet(HostState kind, std::uint32_t bytes);
  void check_meeting(const HostThread& self, const HostWarp& warp, HostState kind, std::uint32_t bytes);
  void exchange(HostThread* lanes, HostState kind, std::uint32_t bytes);
  void wake(HostThread* first, std::size_t count);
  void join_views(HostThread* first, std::size_t count);

  // Phase barriers.
  [[nodiscard]] HostPhaseBarrier& phase_barrier(const HostThread& thread, const std::uint64_t* barrier);
  void check_phase_word(const HostThread& thread, const std::uint64_t* barrier) const;
  void count_arrival(const HostThread& thread, HostPhaseBarrier& barrier);
  void count_bytes(const HostThread& thread, HostPhaseBarrier& barrier, std::int64_t announced);
  void maybe_end_phase(HostPhaseBarrier& barrier);
  void check_seen(const HostBlock& block) const;
  [[nodiscard]] static std::string awaited_phases(const HostBlock& block);

  // Copies in flight.
  void check_copy(const char* what, const void* shared, const void* global, std::uint32_t bytes) const;
  void begin(HostCopy copy);
  void let_copies_happen();
  void happen(HostCopy copy);
  void happen_async_loads(const HostThread& thread);
  void touch(const HostThread& thread, const void* shared, std::uint32_t bytes);
  [[nodiscard]] bool has_unread_stores(const HostThread& thread, std::uint32_t groups) const;
  void check_waited_for(const HostThread& thread) const;
  void end_copies(const HostBlock& block);

  // Clusters.
  [[nodiscard]] HostCluster& cluster_of(const HostBlock& block);
  void check_cluster_exit(HostThread& thread);

  [[noreturn]] void fail(const std::string& what) const { fail(*thread_, what); }
  [[noreturn]] static void fail(const HostThread& thread, const std::string& what);
  [[nodiscard]] std::string where_all_stand() const;

  HostCall call_;
  void** arguments_;
  HostSchedule schedule_;
  HostRandom random_;
  HostStacks& stacks_;
  std::uint32_t blocks_;
  std::uint32_t threads_per_block_;
  std::uint32_t cluster_blocks_;
  std::uint32_t started_ = 0;              // clusters, or in random order the end of the window
  std::vector<std::uint32_t> candidates_;  // in random order: clusters that may start next
  std::size_t live_ = 0;                   // resident blocks
  std::uint64_t polls_ = 0;                // since anybody last made progress
  std::uint64_t choices_ = 0;
  const HostBlock* stalled_ = nullptr;  // picked less often for a while
  HostCopies copies_;
  double copy_probability_ = 0.0;  // that a copy in flight makes progress when another thread gets its turn
  WeakMemory memory_;
  std::vector<HostStack> stack_of_;  // thread t of resident block r has stack r * threads_per_block + t
  std::vector<HostBlock> resident_;  // the blocks of a cluster lie together
  std::vector<HostCluster> clusters_;
  HostQueue queue_;
  HostThread* thread_ = nullptr;
  boost::context::fiber scheduler_;
  std::exception_ptr failure_;
};

}  // namespace upsweep::runtime
