// One launch on the host device: its blocks, which of them have started, and how it stands to the launches beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/host/accesses.hpp"
#include "runtime/host/block.hpp"
#include "runtime/host/host_kernel.hpp"
#include "runtime/host/random.hpp"
#include "runtime/host/schedule.hpp"
#include "runtime/host/stacks.hpp"
#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

// A launch that is asked for. What the arguments point at is the caller's until it has run, or the launch's own.
class HostLaunch {
 public:
  HostLaunch(HostCode code, const void* arguments, const Launch& launch)
      : code_(std::move(code)), launch_(launch), arguments_(arguments) {}
  // Of which the caller's arguments may go.
  [[nodiscard]] HostLaunch with_own_arguments() const;

  [[nodiscard]] const Launch& launch() const noexcept { return launch_; }
  [[nodiscard]] bool watched() const noexcept { return code_.watched; }
  // One thread.
  void call() const;

 private:
  HostCode code_;
  Launch launch_;
  const void* arguments_;       // null: they are its own
  std::vector<std::byte> own_;  // allocated: aligned for every struct of arguments
};

class HostGrid {
 public:
  HostGrid(HostLaunch launch, const HostSchedule& schedule);

  const HostLaunch launch;
  const std::uint32_t blocks;
  const std::uint32_t threads_per_block;
  const std::uint32_t cluster_blocks;
  const HostAgents agents;

  [[nodiscard]] HostCluster& cluster_of(const HostBlock& block) noexcept {
    return clusters[slot_of(block) / cluster_blocks];
  }
  [[nodiscard]] std::size_t slot_of(const HostBlock& block) const noexcept {
    return static_cast<std::size_t>(&block - resident.data());
  }
  [[nodiscard]] const HostStack& stack_of(const HostBlock& block, std::uint32_t thread) const noexcept {
    return stacks[slot_of(block) * threads_per_block + thread];
  }
  [[nodiscard]] std::size_t threads() const noexcept { return resident.size() * threads_per_block; }
  // Whether clusters are left that have not started.
  [[nodiscard]] bool has_more() const noexcept { return started_ < blocks / cluster_blocks || !candidates_.empty(); }
  // The one that starts next, of any within a window if they start in random order.
  [[nodiscard]] std::uint32_t choose_cluster(bool any, HostRandom& random);
  // A block lets the next kernel start, or has ended.
  void announce(HostBlock& block) noexcept;
  [[nodiscard]] bool all_announced() const noexcept { return announced_ == blocks; }

  std::vector<HostStack> stacks;    // thread t of resident block r has stack r * threads_per_block + t
  std::vector<HostBlock> resident;  // the blocks of a cluster lie together
  std::vector<HostCluster> clusters;
  std::uint32_t live = 0;  // resident blocks
  bool ended = false;
  HostGrid* previous = nullptr;      // in the stream, in the same run
  std::vector<HostThread*> waiting;  // for this one to end: threads of the next
  HostView announced_view;           // what threads had fenced when they let the next kernel start
  HostView final_view;               // what threads had seen when they ended

 private:
  std::uint32_t announced_ = 0;            // blocks
  std::uint32_t started_ = 0;              // clusters, or in random order the end of the window
  std::vector<std::uint32_t> candidates_;  // in random order: clusters that may start next
};

[[nodiscard]] inline HostCluster& cluster_of(const HostBlock& block) noexcept {
  return block.grid->cluster_of(block);
}
[[nodiscard]] inline const HostAgents& agents_of(const HostThread& thread) noexcept {
  return thread.block->grid->agents;
}
[[nodiscard]] inline std::uint32_t agent_of(const HostThread& thread) noexcept {
  return agents_of(thread).thread(thread.position.rank, thread.position.thread);
}
[[nodiscard]] inline bool is_watched(const HostThread& thread) noexcept {
  return thread.block->grid->launch.watched();
}

}  // namespace upsweep::runtime
