// Launches on the host device: every thread of a block is a fiber, and all run on the calling host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/context/fiber.hpp>

#include "runtime/device.hpp"
#include "runtime/host/block.hpp"
#include "runtime/host/copies.hpp"
#include "runtime/host/grid.hpp"
#include "runtime/host/interface.hpp"
#include "runtime/host/random.hpp"
#include "runtime/host/schedule.hpp"
#include "runtime/host/stacks.hpp"
#include "runtime/host/turns.hpp"
#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

class HostRun {
 public:
  // Launches of one stream, in its order; those after the first may overlap with the one before if they are dependent.
  HostRun(std::vector<HostLaunch> launches, const HostSchedule& schedule, std::uint64_t seed, HostStacks& stacks);
  HostRun(const HostRun&) = delete;
  HostRun& operator=(const HostRun&) = delete;
  ~HostRun();

  // To the end of the last block. Throws DeviceError where the kernel does what no device allows or gets stuck,
  // Cancelled where the calling thread's work is cancelled, and what a primitive threw; the fibers are unwound by the
  // destructor.
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
  void begin_loads(void (*loads)(const void* what), const void* what, std::uint32_t bytes);
  void await_loads() { finish_loads(*thread_); }
  void barrier_before_stores();
  void wait();
  void fence();
  void announce();
  void await_previous();
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
  [[noreturn]] void give_up() const {
    fail("stopped the launch, because another launch uses the same workspace at the same time");
  }
  void access(const void* at, std::uint64_t bytes, bool writes) noexcept;

 private:
  // Blocks and threads coming and going.
  void start_cluster(HostGrid& grid, std::size_t first_slot);
  void start_block(HostBlock& block, std::uint32_t index);
  void start_thread(HostBlock& block, std::uint32_t thread);
  void end_thread(HostThread& thread);
  void end_block(HostBlock& block);
  void spoil(std::byte* data, std::size_t bytes);
  void make_ready(const HostBlock& block, SharedBytes& shared);
  void ready_static_shared(HostBlock& block, std::size_t bytes);

  // Switching.
  void suspend() {
    const FiberSwitch marked(thread_->mark, scheduler_mark_);
    scheduler_ = std::move(scheduler_).resume();
  }
  void unwind(HostGrid& grid);
  void wake(HostThread& thread);
  void yield();
  void maybe_preempt();
  void count_poll(std::uint64_t weight);
  template <typename Unsigned>
  [[nodiscard]] Unsigned add_to(Unsigned* to, Unsigned value, HostOrder order);

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
  void put_off(HostCopy copy);
  void let_copies_happen();
  void happen(HostCopy copy);
  void happen_async_loads(const HostThread& thread);
  void touch(const HostThread& thread, const void* shared, std::uint32_t bytes);
  [[nodiscard]] bool has_unread_stores(const HostThread& thread, std::uint32_t groups) const;
  void check_waited_for(const HostThread& thread) const;
  void end_copies(const HostBlock& block);

  // Watched accesses to shared memory.
  [[nodiscard]] static const HostAgents& agents_of(const HostThread& thread) noexcept {
    return thread.block->grid->agents;
  }
  [[nodiscard]] static bool is_watched(const HostThread& thread) noexcept {
    return thread.block->grid->launch.watched();
  }
  [[nodiscard]] static std::uint32_t agent_of(const HostThread& thread) noexcept {
    return agents_of(thread).thread(thread.position.rank, thread.position.thread);
  }
  void join_knowledge(HostThread* first, std::size_t count);
  [[nodiscard]] SharedBytes* accessed(const void* at) noexcept;
  void watch_copy(const void* shared, std::uint32_t bytes, bool writes, HostAccesses::Moment moment);
  void check_order(const std::optional<HostAccesses::Conflict>& conflict, const char* what) const;

  // Launches beside each other.
  void start_grid();
  [[nodiscard]] bool may_start_grid() const;
  void end_grid(HostGrid& grid);
  [[nodiscard]] static HostView initial_view(const HostGrid& grid);
  [[nodiscard]] bool puts_off_store();
  void put_off_store(void* to, const void* from, std::uint32_t bytes);
  void finish_stores(HostThread& thread);
  void finish_store_to(const void* to);

  // Loads that have not happened.
  void finish_loads(HostThread& thread);
  void note_loads(HostBlock& block);
  void delay_loads();
  void finish_known_loads(const HostBlock& block);
  static void check_loads_awaited(const HostThread& thread);

  // Clusters.
  [[nodiscard]] static HostCluster& cluster_of(const HostBlock& block) noexcept {
    return block.grid->cluster_of(block);
  }
  void check_cluster_exit(HostThread& thread);

  [[noreturn]] void fail(const std::string& what) const { fail(*thread_, what); }
  [[noreturn]] static void fail(const HostThread& thread, const std::string& what);
  [[nodiscard]] std::string where_all_stand() const;

  HostSchedule schedule_;
  HostRandom random_;
  HostTurns turns_;
  HostStacks& stacks_;
  std::vector<std::unique_ptr<HostGrid>> grids_;  // in the order of the stream
  std::size_t next_grid_ = 0;                     // the one that starts next
  bool starts_early_ = false;                     // that one, if it may
  std::size_t capacity_ = 0;                      // threads of the grids that have started and not ended
  std::size_t live_ = 0;                          // resident blocks
  std::uint64_t turns_taken_ = 0;
  std::uint64_t polls_ = 0;           // since anybody last made progress
  std::uint32_t stores_ = 0;          // put off, ever
  std::uint32_t loading_blocks_ = 0;  // that ever put loads off
  std::vector<HostThread*> loading_;  // threads with late loads
  HostCopies copies_;
  double copy_probability_ = 0.0;  // that a copy in flight makes progress when another thread gets its turn
  WeakMemory memory_;
  HostThread* thread_ = nullptr;
  FiberMark scheduler_mark_;
  boost::context::fiber scheduler_;
  std::exception_ptr failure_;
};

}  // namespace upsweep::runtime
