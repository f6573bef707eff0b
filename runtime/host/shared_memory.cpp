#include "runtime/host/shared_memory.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace upsweep::runtime {
namespace {

constexpr std::uint64_t most_static_bytes = 48 * 1024;  // as CUDA allows
constexpr int tame_garbage = 0xa5;

}  // namespace

// ---- as blocks come and go

void HostSharedMemory::start(HostBlock& block) {
  block.static_shared_ready = false;
  if (block.dynamic_shared) make_ready(block, *block.dynamic_shared);
}

// What others in the cluster still read or write there is lost.
void HostSharedMemory::end(const HostBlock& block) {
  if (!fibers_.schedule.random_threads) return;
  for (const SharedBytes* shared : {block.dynamic_shared.get(), block.static_shared.get()}) {
    if (shared != nullptr) spoil(shared->data(), shared->size());
  }
}

void HostSharedMemory::make_ready(const HostBlock& block, SharedBytes& shared) {
  spoil(shared.data(), shared.size());
  shared.bulk.clear();
  if (block.grid->launch.watched()) shared.accesses.clear(shared.size());
}

void HostSharedMemory::spoil(std::byte* data, std::size_t bytes) {
  if (!fibers_.schedule.random_threads) {
    std::memset(data, tame_garbage, bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t garbage = fibers_.random.next();
    std::memcpy(data + at, &garbage, std::min(sizeof(garbage), bytes - at));
  }
}

// ---- for the thread that runs

void* HostSharedMemory::static_shared(std::uint64_t bytes) {
  HostBlock& block = *fibers_.self().block;
  if (bytes > most_static_bytes) {
    fibers_.fail(
        fmt::format("asks for {} bytes of static shared memory; at most {} are allowed", bytes, most_static_bytes));
  }
  if (!block.static_shared_ready) ready_static_shared(block, static_cast<std::size_t>(bytes));
  if (block.static_shared->size() != bytes) {
    fibers_.fail(fmt::format("asks for {} bytes of static shared memory, but another thread asked for {} bytes", bytes,
                             block.static_shared->size()));
  }
  return block.static_shared->data();
}

void HostSharedMemory::ready_static_shared(HostBlock& block, std::size_t bytes) {
  if (!block.static_shared) block.static_shared = std::make_unique<SharedBytes>(bytes);
  make_ready(block, *block.static_shared);
  block.static_shared_ready = true;
}

void* HostSharedMemory::dynamic_shared(std::uint64_t bytes) const {
  const SharedBytes* const shared = fibers_.self().block->dynamic_shared.get();
  const std::size_t given = shared == nullptr ? 0 : shared->size();
  if (bytes > given) {
    fibers_.fail(fmt::format("uses {} bytes of dynamic shared memory, but the launch has {} bytes", bytes, given));
  }
  return shared == nullptr ? nullptr : shared->data();
}

void* HostSharedMemory::shared_of_rank(const void* own, std::uint32_t rank) {
  HostBlock& block = *fibers_.self().block;
  SharedBytes* const shared = block.shared_with(own, 1);
  if (shared == nullptr) fibers_.fail("calls remote_shared with an address outside the shared memory of its block");
  const std::uint32_t blocks = block.grid->cluster_blocks;
  if (rank >= blocks) {
    fibers_.fail(fmt::format("calls remote_shared for block {} in a cluster of {} blocks", rank, blocks));
  }
  HostBlock& other = *(&block - fibers_.self().position.rank + rank);
  const std::size_t offset = shared->offset_of(own);
  if (rank != fibers_.self().position.rank && cluster_of(block).opened == 0) {
    fibers_.fail(
        fmt::format("calls remote_shared for block {} of its cluster, which may not have started: all blocks must pass "
                    "cluster_arrive and cluster_wait first",
                    rank));
  }
  if (shared == block.dynamic_shared.get()) return other.dynamic_shared->data() + offset;
  if (!other.static_shared_ready) ready_static_shared(other, shared->size());
  return other.static_shared->data() + offset;
}

// ---- accesses that watched binaries report

// The shared memory of the cluster that lies there, nullptr if none does.
SharedBytes* HostSharedMemory::accessed(const void* at) const noexcept {
  HostBlock& own = *fibers_.self().block;
  if (SharedBytes* const shared = own.shared_with(at, 1); shared != nullptr) return shared;
  HostBlock* const first = &own - fibers_.self().position.rank;
  const std::uint32_t blocks = own.grid->cluster_blocks;
  for (HostBlock* block = first; blocks > 1 && block != first + blocks; ++block) {
    if (SharedBytes* const shared = block->shared_with(at, 1); shared != nullptr) return shared;
  }
  return nullptr;
}

void HostSharedMemory::access(const void* at, std::uint64_t bytes, bool writes) noexcept {
  SharedBytes* const shared = accessed(at);
  if (shared == nullptr || fibers_.has_failed()) return;
  try {
    if (!shared->holds(at, bytes))
      fibers_.fail(fmt::format("accesses {} bytes, and some of them lie beyond its shared memory", bytes));
    const HostClock& clock = fibers_.self().clock;
    const HostAccesses::Moment now{agent_of(fibers_.self()), clock.time};
    const std::size_t offset = shared->offset_of(at);
    check_order(writes ? shared->accesses.write(offset, bytes, now, clock.known, agents_of(fibers_.self()))
                       : shared->accesses.read(offset, bytes, now, clock.known, agents_of(fibers_.self())),
                writes ? "writes" : "reads");
  } catch (...) {
    fibers_.fail_later(std::current_exception());
  }
}

void HostSharedMemory::watch_copy(const void* shared, std::uint32_t bytes, bool writes, HostAccesses::Moment moment) {
  if (!is_watched(fibers_.self())) return;
  SharedBytes& all = *accessed(shared);
  const HostKnowledge& known = fibers_.self().clock.known;
  const std::size_t offset = all.offset_of(shared);
  check_order(writes ? all.accesses.write(offset, bytes, moment, known, agents_of(fibers_.self()))
                     : all.accesses.read(offset, bytes, moment, known, agents_of(fibers_.self())),
              writes ? "begins a copy into" : "begins a bulk store of");
}

void HostSharedMemory::check_order(const std::optional<HostAccesses::Conflict>& conflict, const char* what) const {
  if (!conflict) return;
  const char* const did = conflict->wrote ? "wrote" : "read";
  if (conflict->lacks_fence) {
    fibers_.fail(
        fmt::format("{} byte {} of shared memory, which {} {} with an ordinary access: call fence_for_bulk_copies "
                    "between the two accesses",
                    what, conflict->offset, agents_of(fibers_.self()).name(conflict->with.agent), did));
  }
  fibers_.fail(fmt::format("{} byte {} of shared memory, which {} {}: no barrier orders the two accesses", what,
                           conflict->offset, agents_of(fibers_.self()).name(conflict->with.agent), did));
}

}  // namespace upsweep::runtime
