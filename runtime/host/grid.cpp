#include "runtime/host/grid.hpp"

#include <algorithm>
#include <utility>

namespace upsweep::runtime {
namespace {

constexpr std::size_t window_clusters = 65536;  // how far ahead of its turn a cluster may start

// Whole clusters.
std::size_t resident_blocks(const Launch& launch, const HostSchedule& schedule) {
  const std::uint64_t blocks = launch.blocks - schedule.ended_blocks;
  if (launch.cooperative) return static_cast<std::size_t>(blocks);
  const auto cluster = static_cast<std::uint64_t>(launch.cluster_blocks);
  const std::uint64_t wanted = static_cast<std::uint64_t>(std::max(1, schedule.resident_blocks));
  return static_cast<std::size_t>(std::min(blocks, (wanted + cluster - 1) / cluster * cluster));
}

}  // namespace

HostLaunch HostLaunch::with_own_arguments() const {
  HostLaunch copy = *this;
  const auto* const from = static_cast<const std::byte*>(arguments_);
  copy.own_.assign(from, from + code_.argument_bytes);
  copy.arguments_ = nullptr;
  return copy;
}

void HostLaunch::call() const {
  code_.call(arguments_ != nullptr ? arguments_ : own_.data());
}

HostGrid::HostGrid(HostLaunch what, const HostSchedule& schedule)
    : launch(std::move(what)),
      blocks(static_cast<std::uint32_t>(launch.launch().blocks)),
      threads_per_block(static_cast<std::uint32_t>(launch.launch().threads_per_block)),
      cluster_blocks(static_cast<std::uint32_t>(launch.launch().cluster_blocks)),
      agents(threads_per_block),
      resident(resident_blocks(launch.launch(), schedule)),
      clusters(resident.size() / cluster_blocks),
      announced_(schedule.ended_blocks),
      started_(schedule.ended_blocks / cluster_blocks) {
  const int shared_bytes = launch.launch().shared_bytes;
  for (HostBlock& block : resident) {
    block.grid = this;
    block.threads = std::vector<HostThread>(threads_per_block);
    if (shared_bytes > 0) block.dynamic_shared = std::make_unique<SharedBytes>(static_cast<std::size_t>(shared_bytes));
  }
}

std::uint32_t HostGrid::choose_cluster(bool any, HostRandom& random) {
  if (!any) return started_++;
  while (candidates_.size() < window_clusters && started_ < blocks / cluster_blocks) candidates_.push_back(started_++);
  std::uint32_t& chosen = candidates_[random.below(candidates_.size())];
  const std::uint32_t cluster = std::exchange(chosen, candidates_.back());
  candidates_.pop_back();
  return cluster;
}

void HostGrid::announce(HostBlock& block) noexcept {
  if (!std::exchange(block.announced, true)) ++announced_;
}

}  // namespace upsweep::runtime
