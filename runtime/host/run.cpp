#include "runtime/host/run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

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
constexpr std::size_t window_clusters = 65536;    // how far ahead of its turn a cluster may start
constexpr std::uint64_t choices_per_stall = 512;  // how long a block is held back
constexpr std::size_t blocks_described = 4;
constexpr int tame_garbage = 0xa5;

// Whole clusters.
std::size_t resident_blocks(const Launch& launch, const HostSchedule& schedule) {
  if (launch.cooperative) return static_cast<std::size_t>(launch.blocks);
  const auto cluster = static_cast<std::uint64_t>(launch.cluster_blocks);
  const std::uint64_t wanted = static_cast<std::uint64_t>(std::max(1, schedule.resident_blocks));
  return static_cast<std::size_t>(std::min(launch.blocks, (wanted + cluster - 1) / cluster * cluster));
}

}  // namespace

HostSchedule HostSchedule::hostile(std::uint64_t seed) {
  HostRandom random(seed);
  HostSchedule schedule;
  schedule.seed = random.next();
  schedule.random_blocks = true;
  schedule.random_threads = true;
  schedule.resident_blocks = 1 + static_cast<int>(random.below(8));
  schedule.preempt_probability = 0.3 * random.unit();
  schedule.weak_memory = true;
  schedule.stale_probability = 0.1 + 0.5 * random.unit();
  schedule.late_copies = true;
  return schedule;
}

HostRun::HostRun(HostCall call, void** arguments, const Launch& launch, const HostSchedule& schedule,
                 std::uint64_t seed, HostStacks& stacks)
    : call_(call),
      arguments_(arguments),
      schedule_(schedule),
      random_(seed),
      stacks_(stacks),
      blocks_(static_cast<std::uint32_t>(launch.blocks)),
      threads_per_block_(static_cast<std::uint32_t>(launch.threads_per_block)),
      cluster_blocks_(static_cast<std::uint32_t>(launch.cluster_blocks)),
      memory_(schedule.stale_probability),
      resident_(resident_blocks(launch, schedule)),
      clusters_(resident_.size() / cluster_blocks_),
      queue_(resident_.size() * threads_per_block_) {
  stack_of_ = stacks_.take(resident_.size() * threads_per_block_);
  for (HostBlock& block : resident_) {
    block.threads = std::vector<HostThread>(threads_per_block_);
    if (launch.shared_bytes > 0) {
      block.dynamic_shared = std::make_unique<SharedBytes>(static_cast<std::size_t>(launch.shared_bytes));
    }
  }
}

HostRun::~HostRun() {
  resident_.clear();  // unwinds what has not ended
  stacks_.give_back(std::move(stack_of_));
}

HostRun& HostRun::current() noexcept {
  return *running;
}

void HostRun::run() {
  const Running guard(this);
  for (std::size_t slot = 0; slot < resident_.size(); slot += cluster_blocks_) start_cluster(slot);
  while (live_ > 0) {
    if (!copies_.empty()) let_copies_happen();
    if (queue_.size() == 0) throw DeviceError("deadlock: no thread can run; " + where_all_stand());
    thread_ = &choose_thread();
    thread_->loads = 0;
    thread_->fiber = std::move(thread_->fiber).resume();
    if (failure_) std::rethrow_exception(failure_);
    if (!thread_->fiber) end_thread(*thread_);
  }
  while (!copies_.empty()) happen(copies_.take(random_.below(copies_.size())));
}

// ---- blocks and threads coming and going

void HostRun::start_cluster(std::size_t first_slot) {
  const std::uint32_t first_block = choose_cluster() * cluster_blocks_;
  clusters_[first_slot / cluster_blocks_] = HostCluster{.live = cluster_blocks_};
  for (std::uint32_t rank = 0; rank < cluster_blocks_; ++rank) {
    start_block(resident_[first_slot + rank], first_block + rank);
  }
}

void HostRun::start_block(HostBlock& block, std::uint32_t index) {
  block.index = index;
  block.at_barrier = 0;
  block.exited = 0;
  block.static_shared_ready = false;
  block.phase_barriers.clear();
  block.warps.assign(threads_per_block_ / lanes_per_warp, HostWarp{});
  if (block.dynamic_shared) make_ready(*block.dynamic_shared);
  ++live_;
  polls_ = 0;
  const auto slot = static_cast<std::size_t>(&block - resident_.data());
  for (std::uint32_t thread = 0; thread < threads_per_block_; ++thread) start_thread(block, slot, thread);
}

std::uint32_t HostRun::choose_cluster() {
  if (!schedule_.random_blocks) return started_++;
  const std::uint32_t clusters = blocks_ / cluster_blocks_;
  while (candidates_.size() < window_clusters && started_ < clusters) candidates_.push_back(started_++);
  std::uint32_t& chosen = candidates_[random_.below(candidates_.size())];
  const std::uint32_t cluster = std::exchange(chosen, candidates_.back());
  candidates_.pop_back();
  return cluster;
}

void HostRun::start_thread(HostBlock& block, std::size_t slot, std::uint32_t index) {
  HostThread& thread = block.threads[index];
  thread.position = {index, block.index, blocks_, static_cast<std::uint32_t>(slot % cluster_blocks_)};
  thread.block = &block;
  thread.state = HostState::runnable;
  thread.last_load = nullptr;
  thread.copies = {};
  thread.at_cluster = false;
  thread.observer = {};
  const boost::context::stack_context& stack = stack_of_[slot * threads_per_block_ + index].context();
  // A kernel compiled with AddressSanitizer leaves its marks on a stack that was given up.
  if (&__asan_unpoison_memory_region != nullptr) {
    __asan_unpoison_memory_region(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
  }
  const auto body = [this](boost::context::fiber&& scheduler) {
    scheduler_ = std::move(scheduler);
    try {
      call_(arguments_);
    } catch (const boost::context::detail::forced_unwind&) {
      throw;
    } catch (...) {
      failure_ = std::current_exception();
    }
    return std::move(scheduler_);
  };
  thread.fiber = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                       KeepStack{}, body);
  queue_.push(thread);
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
  check_cluster_exit(thread);
  thread.state = HostState::exited;
  polls_ = 0;
  ++warp.exited;
  if (++block.exited == threads_per_block_) end_block(block);
}

void HostRun::end_block(HostBlock& block) {
  check_seen(block);
  end_copies(block);
  --live_;
  HostCluster& cluster = cluster_of(block);
  if (--cluster.live > 0) {
    // Shared memory ends with its block: what others still read or write there is lost.
    if (!schedule_.random_threads) return;
    for (const SharedBytes* shared : {block.dynamic_shared.get(), block.static_shared.get()}) {
      if (shared != nullptr) spoil(shared->data(), shared->size());
    }
    return;
  }
  if (started_ < blocks_ / cluster_blocks_ || !candidates_.empty()) {
    start_cluster(static_cast<std::size_t>(&cluster - clusters_.data()) * cluster_blocks_);
  }
}

void HostRun::make_ready(SharedBytes& shared) {
  spoil(shared.data(), shared.size());
  shared.bulk.clear();
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

HostThread& HostRun::choose_thread() {
  if (!schedule_.random_threads) return queue_.take(0);
  if (++choices_ % choices_per_stall == 0) {
    const std::uint32_t slot = random_.below(2 * resident_.size());
    stalled_ = slot < resident_.size() ? &resident_[slot] : nullptr;
  }
  std::size_t index = random_.below(queue_.size());
  for (int again = 0; again < 8 && queue_.slot(index)->block == stalled_; ++again) {
    index = random_.below(queue_.size());
  }
  return queue_.take(index);
}

void HostRun::wake(HostThread& thread) {
  thread.state = HostState::runnable;
  queue_.push(thread);
}

void HostRun::yield() {
  queue_.push(*thread_);
  suspend();
}

void HostRun::maybe_preempt() {
  if (random_.chance(schedule_.preempt_probability)) yield();
}

// ---- what went wrong

void HostRun::fail(const HostThread& thread, const std::string& what) {
  throw DeviceError(fmt::format("block {}, thread {}: {}", thread.position.block, thread.position.thread, what));
}

std::string HostRun::where_all_stand() const {
  std::string text;
  std::size_t described = 0;
  for (const HostBlock& block : resident_) {
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
  return text;
}

const char* name(HostState state) noexcept {
  static constexpr std::array<const char*, host_states> names{
      "running", "block_barrier", "warp_barrier",          "shuffle_up",     "shuffle_down", "shuffle",
      "ballot",  "wait_phase",    "wait_bulk_stores_read", "cluster_arrive", "cluster_wait", "exited"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace upsweep::runtime
