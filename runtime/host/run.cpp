#include "runtime/host/run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"

// There only under AddressSanitizer.
extern "C" __attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* address, std::size_t bytes);

namespace upsweep::runtime {
namespace {

// Which launch this host thread is in.
thread_local HostRun* running = nullptr;

class Running {
 public:
  explicit Running(HostRun* run) : before_(std::exchange(running, run)) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { running = before_; }

 private:
  HostRun* before_;
};

// The stacks are the pool's.
struct KeepStack {
  static boost::context::stack_context allocate() noexcept { return {}; }
  static void deallocate(boost::context::stack_context&) noexcept {}
};

constexpr std::uint32_t lanes_per_warp = 32;
constexpr std::size_t blocks_described = 4;
constexpr std::uint64_t turns_between_looks = 256;  // for a cancellation: each turn takes 0.1 us to 1 ms
constexpr int tame_garbage = 0xa5;

}  // namespace

HostSchedule HostSchedule::hostile(std::uint64_t seed) {
  HostRandom random(seed);
  HostSchedule schedule;
  schedule.seed = random.next();
  schedule.random_blocks = true;
  schedule.random_threads = true;
  // Mostly few, and now and then more than a look-back window holds tiles.
  schedule.resident_blocks = 1 + static_cast<int>(random.below(random.below(4) == 0 ? 80 : 8));
  schedule.preempt_probability = 0.3 * random.unit();
  schedule.weak_memory = true;
  schedule.stale_probability = 0.1 + 0.5 * random.unit();
  schedule.late_copies = true;
  schedule.late_loads = true;
  return schedule;
}

HostRun::HostRun(std::vector<HostLaunch> launches, const HostSchedule& schedule, std::uint64_t seed, HostStacks& stacks)
    : schedule_(schedule),
      random_(seed),
      turns_(schedule_, random_),
      stacks_(stacks),
      memory_(schedule.stale_probability) {
  for (HostLaunch& launch : launches) {
    HostGrid* const before = grids_.empty() ? nullptr : grids_.back().get();
    grids_.push_back(std::make_unique<HostGrid>(std::move(launch), schedule));
    grids_.back()->previous = before;
  }
}

HostRun::~HostRun() {
  for (const std::unique_ptr<HostGrid>& grid : grids_) {
    unwind(*grid);
    stacks_.give_back(std::move(grid->stacks));
  }
}

// What has not ended: its fibers, each of them a switch that sanitizers are to know of.
void HostRun::unwind(HostGrid& grid) {
  for (HostBlock& block : grid.resident) {
    for (HostThread& thread : block.threads) {
      if (!thread.fiber) continue;
      // A fiber that has not started never runs its body, so it does not mark the switch back.
      std::optional<SchedulerSwitch> marked;
      if (thread.started) marked.emplace(scheduler_mark_, thread.mark);
      thread.fiber = {};
    }
  }
  grid.resident.clear();
}

HostRun& HostRun::current() noexcept {
  return *running;
}

void HostRun::run() {
  const Running guard(this);
  while (live_ > 0 || next_grid_ < grids_.size()) {
    if (may_start_grid()) start_grid();
    if (!copies_.empty()) let_copies_happen();
    if (turns_.empty()) throw DeviceError("deadlock: no thread can run; " + where_all_stand());
    thread_ = &turns_.next();
    thread_->loads = 0;
    {
      const SchedulerSwitch marked(scheduler_mark_, thread_->mark);
      thread_->fiber = std::move(thread_->fiber).resume();
    }
    if (failure_) std::rethrow_exception(failure_);
    if (++turns_taken_ % turns_between_looks == 0) base::throw_if_cancelled();
    if (!thread_->fiber) end_thread(*thread_);
  }
}

// ---- blocks and threads coming and going

void HostRun::start_cluster(HostGrid& grid, std::size_t first_slot) {
  const std::uint32_t first_block = grid.choose_cluster(schedule_.random_blocks, random_) * grid.cluster_blocks;
  grid.clusters[first_slot / grid.cluster_blocks] = HostCluster{.live = grid.cluster_blocks};
  for (std::uint32_t rank = 0; rank < grid.cluster_blocks; ++rank) {
    start_block(grid.resident[first_slot + rank], first_block + rank);
  }
}

void HostRun::start_block(HostBlock& block, std::uint32_t index) {
  HostGrid& grid = *block.grid;
  block.index = index;
  block.at_barrier = 0;
  block.exited = 0;
  block.announced = false;
  block.static_shared_ready = false;
  block.phase_barriers.clear();
  block.loads = {};
  block.warps.assign(grid.threads_per_block / lanes_per_warp, HostWarp{});
  if (block.dynamic_shared) make_ready(block, *block.dynamic_shared);
  ++grid.live;
  ++live_;
  polls_ = 0;
  for (std::uint32_t thread = 0; thread < grid.threads_per_block; ++thread) start_thread(block, thread);
  turns_.start(block);
}

void HostRun::start_thread(HostBlock& block, std::uint32_t index) {
  const HostGrid& grid = *block.grid;
  HostThread& thread = block.threads[index];
  const auto rank = static_cast<std::uint32_t>(grid.slot_of(block) % grid.cluster_blocks);
  thread.position = {index, block.index, grid.blocks, rank};
  thread.block = &block;
  thread.state = HostState::runnable;
  thread.started = false;
  thread.last_load = nullptr;
  thread.copies = {};
  thread.at_cluster = false;
  thread.observer = {};
  if (schedule_.weak_memory) thread.observer.view = initial_view(grid);
  thread.fenced_view = {};
  thread.late_stores = 0;
  thread.late_loads.clear();
  thread.clock = {};
  const boost::context::stack_context& stack = grid.stack_of(block, index).context();
  // A kernel compiled with AddressSanitizer leaves its marks on a stack that was given up.
  if (&__asan_unpoison_memory_region != nullptr) {
    __asan_unpoison_memory_region(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
  }
  const auto body = [this, &grid](boost::context::fiber&& scheduler) {
    FiberSwitch::arrive(scheduler_mark_);
    thread_->started = true;
    scheduler_ = std::move(scheduler);
    try {
      grid.launch.call();
    } catch (const boost::context::detail::forced_unwind&) {
      FiberSwitch::leave(scheduler_mark_);
      throw;
    } catch (...) {
      failure_ = std::current_exception();
    }
    FiberSwitch::leave(scheduler_mark_);
    return std::move(scheduler_);
  };
  thread.mark.begin(stack.sp, stack.size);
  thread.fiber = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                       KeepStack{}, body);
  turns_.push(thread);
}

void HostRun::end_thread(HostThread& thread) {
  HostBlock& block = *thread.block;
  HostWarp& warp = block.warp_of(thread);
  if (warp.arrived > 0) {
    fail(fmt::format("exited while {} lanes of its warp wait at {}", warp.arrived, name(warp.meeting)));
  }
  if (block.at_barrier > 0) {
    fail(fmt::format("exited while {} threads of its block wait at block_barrier", block.at_barrier));
  }
  check_waited_for(thread);
  check_loads_awaited(thread);
  finish_stores(thread);
  if (schedule_.weak_memory) block.grid->final_view.join(thread.observer.view);
  check_cluster_exit(thread);
  thread.mark.end();
  thread.state = HostState::exited;
  polls_ = 0;
  ++warp.exited;
  if (++block.exited == block.grid->threads_per_block) end_block(block);
}

void HostRun::end_block(HostBlock& block) {
  check_seen(block);
  end_copies(block);
  HostGrid& grid = *block.grid;
  --live_;
  --grid.live;
  grid.announce(block);
  HostCluster& cluster = cluster_of(block);
  if (--cluster.live > 0) {
    // Shared memory ends with its block: what others still read or write there is lost.
    if (!schedule_.random_threads) return;
    for (const SharedBytes* shared : {block.dynamic_shared.get(), block.static_shared.get()}) {
      if (shared != nullptr) spoil(shared->data(), shared->size());
    }
    return;
  }
  if (grid.has_more()) {
    start_cluster(grid, grid.slot_of(block) / grid.cluster_blocks * grid.cluster_blocks);
  } else if (grid.live == 0) {
    end_grid(grid);
  }
}

void HostRun::make_ready(const HostBlock& block, SharedBytes& shared) {
  spoil(shared.data(), shared.size());
  shared.bulk.clear();
  if (block.grid->launch.watched()) shared.accesses.clear(shared.size());
}

// Nothing is zero by chance: what a kernel reads before it wrote there shows.
void HostRun::spoil(std::byte* data, std::size_t bytes) {
  if (!schedule_.random_threads) {
    std::memset(data, tame_garbage, bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t garbage = random_.next();
    std::memcpy(data + at, &garbage, std::min(sizeof(garbage), bytes - at));
  }
}

// ---- switching

void HostRun::wake(HostThread& thread) {
  thread.state = HostState::runnable;
  turns_.push(thread);
}

void HostRun::yield() {
  turns_.push(*thread_);
  suspend();
}

void HostRun::maybe_preempt() {
  if (turns_.preempts()) yield();
}

// ---- what went wrong

void HostRun::fail(const HostThread& thread, const std::string& what) {
  throw DeviceError(fmt::format("block {}, thread {}: {}", thread.position.block, thread.position.thread, what));
}

std::string HostRun::where_all_stand() const {
  std::string text;
  std::size_t described = 0;
  for (const std::unique_ptr<HostGrid>& grid : grids_) {
    for (const HostBlock& block : grid->resident) {
      std::array<int, host_states> count{};
      for (const HostThread& thread : block.threads) ++count[static_cast<std::size_t>(thread.state)];
      if (count[static_cast<std::size_t>(HostState::exited)] == static_cast<int>(block.threads.size())) continue;
      if (described++ == blocks_described) return text + ", ...";
      text += fmt::format("{}block {}:", text.empty() ? "" : ", ", block.index);
      for (int state = 0; state < host_states; ++state) {
        const int threads = count[static_cast<std::size_t>(state)];
        if (threads > 0) text += fmt::format(" {} {}", threads, name(static_cast<HostState>(state)));
      }
      text += awaited_phases(block);
    }
  }
  return text;
}

const char* name(HostState state) noexcept {
  static constexpr std::array<const char*, host_states> names{
      "running", "block_barrier", "warp_barrier",          "shuffle_up",     "shuffle_down", "shuffle",
      "ballot",  "wait_phase",    "wait_bulk_stores_read", "cluster_arrive", "cluster_wait", "wait_for_previous_kernel",
      "exited"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace upsweep::runtime
