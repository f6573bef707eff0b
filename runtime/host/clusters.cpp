// What the blocks of a cluster do together.
#include <fmt/format.h>

#include "runtime/host/run.hpp"

namespace upsweep::runtime {

void HostRun::arrive_at_cluster() {
  if (thread_->at_cluster) fail("reached cluster_arrive twice without a cluster_wait in between");
  meet(HostState::cluster_arrive, 0);
  HostThread& self = *thread_;
  HostCluster& cluster = cluster_of(*self.block);
  if (cluster.exited > 0) {
    fail(fmt::format("reached cluster_arrive, but {} threads of its cluster have exited", cluster.exited));
  }
  self.at_cluster = true;
  self.cluster_barrier = cluster.opened;
  if (schedule_.weak_memory) cluster.gathered.join(self.observer.view);
  finish_stores(self);
  if (is_watched(self)) {
    self.clock.release(agent_of(self));
    cluster.gathered_known.join(self.clock.known);
  }
  const HostGrid& grid = *self.block->grid;
  if (++cluster.arrived < grid.cluster_blocks * grid.threads_per_block) return;
  cluster.arrived = 0;
  ++cluster.opened;
  cluster.ended = cluster.gathered;
  cluster.ended_known = cluster.gathered_known;
  polls_ = 0;
  for (HostThread* thread : cluster.waiting) wake(*thread);
  cluster.waiting.clear();
}

void HostRun::wait_for_cluster() {
  if (!thread_->at_cluster) fail("reached cluster_wait without a cluster_arrive before it");
  meet(HostState::cluster_wait, 0);
  HostThread& self = *thread_;
  HostCluster& cluster = cluster_of(*self.block);
  if (cluster.opened == self.cluster_barrier) {
    self.state = HostState::cluster_wait;
    cluster.waiting.push_back(&self);
    suspend();
  }
  self.at_cluster = false;
  if (schedule_.weak_memory) self.observer.view.join(cluster.ended);
  if (is_watched(self)) self.clock.known.join(cluster.ended_known);
}

void* HostRun::shared_of_rank(const void* own, std::uint32_t rank) {
  HostBlock& block = *thread_->block;
  SharedBytes* const shared = block.shared_with(own, 1);
  if (shared == nullptr) fail("calls remote_shared with an address outside the shared memory of its block");
  const std::uint32_t blocks = block.grid->cluster_blocks;
  if (rank >= blocks) {
    fail(fmt::format("calls remote_shared for block {} in a cluster of {} blocks", rank, blocks));
  }
  HostBlock& other = *(&block - thread_->position.rank + rank);
  const std::size_t offset = shared->offset_of(own);
  if (rank != thread_->position.rank && cluster_of(block).opened == 0) {
    fail(
        fmt::format("calls remote_shared for block {} of its cluster, which may not have started: all blocks must pass "
                    "cluster_arrive and cluster_wait first",
                    rank));
  }
  if (shared == block.dynamic_shared.get()) return other.dynamic_shared->data() + offset;
  if (!other.static_shared_ready) ready_static_shared(other, shared->size());
  return other.static_shared->data() + offset;
}

// Of a thread that is about to end.
void HostRun::check_cluster_exit(HostThread& thread) {
  HostCluster& cluster = cluster_of(*thread.block);
  if (thread.at_cluster) fail("exited between cluster_arrive and cluster_wait");
  if (cluster.arrived > 0) {
    fail(fmt::format("exited while {} threads of its cluster have arrived at cluster_arrive", cluster.arrived));
  }
  ++cluster.exited;
}

}  // namespace upsweep::runtime
