#include "runtime/host/run.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"

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

constexpr std::uint32_t lanes_per_warp = 32;
constexpr std::size_t blocks_described = 4;
constexpr std::uint64_t turns_between_looks = 256;  // for a cancellation: each turn takes 0.1 us to 1 ms
constexpr double waits_for_the_end = 0.2;           // probability that a launch that might start early does not

// What a thread of a launch knows when it starts.
HostView initial_view(const HostGrid& grid) {
  if (grid.previous == nullptr) return {};
  return grid.previous->ended ? grid.previous->final_view : grid.previous->announced_view;
}

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
    : fibers(schedule, seed),
      shared(fibers),
      memory(schedule.stale_probability),
      in_flight(fibers, shared, memory),
      loads(fibers),
      words(fibers, in_flight, loads, memory, launches.size() > 1),
      barriers(fibers, in_flight, loads),
      phases(fibers, in_flight),
      copies(fibers, shared, in_flight),
      stacks_(stacks) {
  for (HostLaunch& launch : launches) {
    HostGrid* const before = grids_.empty() ? nullptr : grids_.back().get();
    grids_.push_back(std::make_unique<HostGrid>(std::move(launch), schedule));
    grids_.back()->previous = before;
  }
}

HostRun::~HostRun() {
  for (const std::unique_ptr<HostGrid>& grid : grids_) {
    for (HostBlock& block : grid->resident) fibers.unwind(block);
    stacks_.give_back(std::move(grid->stacks));
  }
}

HostRun& HostRun::current() noexcept {
  return *running;
}

void HostRun::run() {
  const Running guard(this);
  std::uint64_t turns = 0;
  while (live_ > 0 || next_grid_ < grids_.size()) {
    if (may_start_grid()) start_grid();
    in_flight.let_happen();
    if (fibers.none_can_run()) throw DeviceError("deadlock: no thread can run; " + where_all_stand());
    HostThread& thread = fibers.take_turn();
    if (fibers.only_polls()) fibers.fail("no progress: threads poll words that no thread writes; " + where_all_stand());
    if (++turns % turns_between_looks == 0) base::throw_if_cancelled();
    if (!thread.fiber) end_thread(thread);
  }
}

// ---- launches beside each other

void HostRun::start_grid() {
  HostGrid& grid = *grids_[next_grid_++];
  capacity_ += grid.threads();
  fibers.make_room(capacity_);
  grid.stacks = stacks_.take(grid.threads());
  starts_early_ = !fibers.random.chance(waits_for_the_end);
  for (std::size_t slot = 0; slot < grid.resident.size(); slot += grid.cluster_blocks) start_cluster(grid, slot);
}

bool HostRun::may_start_grid() const {
  if (next_grid_ == grids_.size()) return false;
  if (next_grid_ == 0) return true;
  const HostGrid& before = *grids_[next_grid_ - 1];
  return before.ended || (starts_early_ && grids_[next_grid_]->launch.launch().dependent && before.all_announced());
}

void HostRun::end_grid(HostGrid& grid) {
  in_flight.end(grid);
  grid.ended = true;
  capacity_ -= grid.threads();
  stacks_.give_back(std::exchange(grid.stacks, {}));
  for (HostThread* thread : grid.waiting) fibers.wake(*thread);
  grid.waiting.clear();
}

void HostRun::announce() {
  fibers.maybe_preempt();
  HostGrid& grid = *fibers.self().block->grid;
  if (fibers.schedule.weak_memory) grid.announced_view.join(fibers.self().fenced_view);
  grid.announce(*fibers.self().block);
  fibers.maybe_preempt();
}

void HostRun::await_previous() {
  fibers.maybe_preempt();
  HostThread& self = fibers.self();
  HostGrid* const before = self.block->grid->previous;
  if (before == nullptr) return;
  if (!before->ended) {
    self.state = HostState::wait_previous_kernel;
    before->waiting.push_back(&self);
    fibers.suspend();
  }
  if (fibers.schedule.weak_memory) self.observer.view.join(before->final_view);
}

// ---- blocks and threads coming and going

void HostRun::start_cluster(HostGrid& grid, std::size_t first_slot) {
  const std::uint32_t first_block =
      grid.choose_cluster(fibers.schedule.random_blocks, fibers.random) * grid.cluster_blocks;
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
  block.phase_barriers.clear();
  block.loads = {};
  block.warps.assign(grid.threads_per_block / lanes_per_warp, HostWarp{});
  shared.start(block);
  ++grid.live;
  ++live_;
  fibers.note_progress();
  for (std::uint32_t thread = 0; thread < grid.threads_per_block; ++thread) start_thread(block, thread);
  fibers.start(block);
}

void HostRun::start_thread(HostBlock& block, std::uint32_t index) {
  const HostGrid& grid = *block.grid;
  HostThread& thread = block.threads[index];
  const auto rank = static_cast<std::uint32_t>(grid.slot_of(block) % grid.cluster_blocks);
  thread.position = {index, block.index, grid.blocks, rank};
  thread.barriers = thread.exchanges = 0;
  thread.block = &block;
  thread.last_load = nullptr;
  thread.copies = {};
  thread.at_cluster = false;
  thread.observer = {};
  if (fibers.schedule.weak_memory) thread.observer.view = initial_view(grid);
  thread.fenced_view = {};
  thread.late_stores = 0;
  thread.late_loads.clear();
  thread.clock = {};
  fibers.start(thread, grid.stack_of(block, index), grid.launch);
}

void HostRun::end_thread(HostThread& thread) {
  HostBlock& block = *thread.block;
  HostWarp& warp = block.warp_of(thread);
  if (warp.arrived > 0) {
    fibers.fail(fmt::format("exited while {} lanes of its warp wait at {}", warp.arrived, name(warp.meeting)));
  }
  if (block.at_barrier > 0) {
    fibers.fail(fmt::format("exited while {} threads of its block wait at block_barrier", block.at_barrier));
  }
  copies.check_waited_for();
  if (!thread.late_loads.empty()) fibers.fail("exited before its loads were awaited: call await_loads");
  in_flight.finish_stores(thread);
  if (fibers.schedule.weak_memory) block.grid->final_view.join(thread.observer.view);
  barriers.check_exit();
  thread.mark.end();
  thread.state = HostState::exited;
  fibers.note_progress();
  ++warp.exited;
  if (++block.exited == block.grid->threads_per_block) end_block(thread);
}

void HostRun::end_block(HostThread& last) {
  HostBlock& block = *last.block;
  check_seen(last);
  in_flight.end(block);
  HostGrid& grid = *block.grid;
  --live_;
  --grid.live;
  grid.announce(block);
  HostCluster& cluster = cluster_of(block);
  if (--cluster.live > 0) {
    shared.end(block);
    return;
  }
  if (grid.has_more()) {
    start_cluster(grid, grid.slot_of(block) / grid.cluster_blocks * grid.cluster_blocks);
  } else if (grid.live == 0) {
    end_grid(grid);
  }
}

// ---- what went wrong

void fail_at(const HostThread& thread, const std::string& what) {
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
