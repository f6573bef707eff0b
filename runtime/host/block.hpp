// The threads of one block on the host device, and where each stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <boost/context/fiber.hpp>

#include "runtime/host/accesses.hpp"
#include "runtime/host/bulk_view.hpp"
#include "runtime/host/fiber_marks.hpp"
#include "runtime/host/interface.hpp"
#include "runtime/host/phase_barrier.hpp"
#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

class HostGrid;
struct HostBlock;

// Running, able to run, waiting at that primitive (for the others of its warp, block or cluster, for copies, or for the
// kernel before), or done.
enum class HostState : std::uint8_t {
  runnable,
  block_barrier,
  warp_barrier,
  shuffle_up,
  shuffle_down,
  shuffle,
  ballot,
  wait_phase,
  wait_bulk_stores_read,
  cluster_arrive,
  cluster_wait,
  wait_previous_kernel,
  exited
};

inline constexpr int host_states = 13;

[[nodiscard]] const char* name(HostState state) noexcept;

// The copies that a thread has begun.
struct HostThreadCopies {
  std::uint32_t groups = 0;        // of bulk stores, that were committed
  std::uint32_t groups_read = 0;   // so many of them are known to have read their shared memory
  std::uint32_t stored_until = 0;  // no group from this one on holds a store
  std::uint32_t async_bytes = 0;   // of async loads that no arrival stands for
  std::uint32_t async_loads = 0;   // ever
};

// Loads that a thread has begun with one call and that are still to happen.
struct HostLateLoad {
  void (*load)(const void* what) = nullptr;
  std::vector<std::byte> what;
  std::uint32_t number = 0;  // known to who has seen so many of the block's
};

struct HostThread {
  HostPosition position;
  std::uint32_t barriers = 0;   // of the block, that it has come to
  std::uint32_t exchanges = 0;  // of its warp, since the last of these
  HostBlock* block = nullptr;
  HostState state = HostState::exited;
  std::uint64_t held_until = 0;     // the turn from which on it runs like any other
  std::uint32_t loads = 0;          // since it last let others run
  const void* last_load = nullptr;  // the word it loaded last
  void* value = nullptr;            // of the exchange that it waits in
  std::int32_t argument = 0;        // of that exchange: a distance or a lane
  std::uint32_t predicate = 0;      // its own, then all of the warp
  HostThreadCopies copies;
  bool at_cluster = false;            // has arrived at the cluster's barrier and not waited
  std::uint32_t cluster_barrier = 0;  // the number of that barrier
  WeakMemory::Observer observer;
  HostClock clock;                // where accesses are watched
  HostView fenced_view;           // what it had seen when it last fenced
  std::uint32_t late_stores = 0;  // that have not reached memory
  std::vector<HostLateLoad> late_loads;
  bool started = false;  // runs, or has run, its kernel
  FiberMark mark;
  boost::context::fiber fiber;
};

struct HostWarp {
  HostState meeting = HostState::runnable;  // what the lanes that have arrived wait at
  std::uint32_t bytes = 0;                  // of the value they exchange
  std::uint32_t arrived = 0;
  std::uint32_t at_block_barrier = 0;
  std::uint32_t exited = 0;
};

// Shared memory: of exactly the size asked for, so that a sanitizer sees accesses past it.
class SharedBytes {
 public:
  explicit SharedBytes(std::size_t bytes)
      : bytes_(bytes), data_(static_cast<std::byte*>(::operator new(bytes, alignment))) {}

  [[nodiscard]] std::byte* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
  [[nodiscard]] bool holds(const void* from, std::size_t bytes) const noexcept {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(from) - reinterpret_cast<std::uintptr_t>(data());
    return offset <= bytes_ && bytes <= bytes_ - offset;
  }
  [[nodiscard]] std::size_t offset_of(const void* held) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(held) - data());
  }

  HostBulkView bulk;
  HostAccesses accesses;  // where they are watched

 private:
  static constexpr std::align_val_t alignment{128};  // what bulk copies need
  struct Free {
    void operator()(std::byte* data) const noexcept { ::operator delete(data, alignment); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

// What other blocks can know of a block's loads: those begun before its first, second, ... barrier.
struct HostBlockLoads {
  std::uint32_t agent = 0;  // number of the block among those whose loads were late; 0: none were
  std::uint32_t known = 0;  // barriers
};

struct HostBlock {
  HostGrid* grid = nullptr;
  std::uint32_t index = 0;
  std::uint32_t at_barrier = 0;
  std::uint32_t exited = 0;
  bool announced = false;            // lets the next kernel start
  bool static_shared_ready = false;  // filled for this block
  std::unique_ptr<SharedBytes> static_shared;
  std::unique_ptr<SharedBytes> dynamic_shared;
  std::vector<HostWarp> warps;
  std::vector<HostThread> threads;
  std::vector<HostPhaseBarrier> phase_barriers;
  HostBlockLoads loads;
  bool stores_next = false;  // behind the barrier that is next to open

  [[nodiscard]] HostWarp& warp_of(const HostThread& thread) { return warps[thread.position.thread / 32]; }
  // The shared memory that holds all these bytes, nullptr if none does.
  [[nodiscard]] SharedBytes* shared_with(const void* from, std::size_t bytes) const noexcept {
    for (SharedBytes* shared : {dynamic_shared.get(), static_shared.get()}) {
      if (shared != nullptr && shared->holds(from, bytes)) return shared;
    }
    return nullptr;
  }
};

// Blocks that run at the same time. Their barrier is two: all arrive, then all wait.
struct HostCluster {
  std::uint32_t arrived = 0;  // threads, at the barrier that is next to open
  std::uint32_t opened = 0;   // barriers
  std::uint32_t exited = 0;   // threads
  std::uint32_t live = 0;     // blocks
  std::uint32_t fences = 0;   // for bulk copies, by any thread
  std::vector<HostThread*> waiting;
  HostView gathered;  // what those who arrived had seen
  HostView ended;     // the same, when the last barrier opened
  HostKnowledge gathered_known;
  HostKnowledge ended_known;
};

// Throws DeviceError: that thread did what no device allows.
[[noreturn]] void fail_at(const HostThread& thread, const std::string& what);

}  // namespace upsweep::runtime
