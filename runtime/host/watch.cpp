// What watched binaries tell of their ordinary accesses to shared memory.
#include <fmt/format.h>

#include "runtime/host/run.hpp"

namespace upsweep::runtime {

// What each has seen, all have seen.
void HostRun::join_knowledge(HostThread* first, std::size_t count) {
  HostKnowledge joined;
  for (HostThread* thread = first; thread != first + count; ++thread) {
    thread->clock.release(agent_of(*thread));
    joined.join(thread->clock.known);
  }
  for (HostThread* thread = first; thread != first + count; ++thread) thread->clock.known = joined;
}

// The shared memory of the cluster that lies there, nullptr if none does.
SharedBytes* HostRun::accessed(const void* at) noexcept {
  HostBlock& own = *thread_->block;
  if (SharedBytes* const shared = own.shared_with(at, 1); shared != nullptr) return shared;
  HostBlock* const first = &own - thread_->position.rank;
  const std::uint32_t blocks = own.grid->cluster_blocks;
  for (HostBlock* block = first; blocks > 1 && block != first + blocks; ++block) {
    if (SharedBytes* const shared = block->shared_with(at, 1); shared != nullptr) return shared;
  }
  return nullptr;
}

// Compilers take it that these calls do not throw: what went wrong ends the launch at the thread's next primitive.
void HostRun::access(const void* at, std::uint64_t bytes, bool writes) noexcept {
  SharedBytes* const shared = accessed(at);
  if (shared == nullptr || failure_) return;
  try {
    if (!shared->holds(at, bytes))
      fail(fmt::format("accesses {} bytes, and some of them lie beyond its shared memory", bytes));
    const HostClock& clock = thread_->clock;
    const HostAccesses::Moment now{agent_of(*thread_), clock.time};
    const std::size_t offset = shared->offset_of(at);
    check_order(writes ? shared->accesses.write(offset, bytes, now, clock.known, agents_of(*thread_))
                       : shared->accesses.read(offset, bytes, now, clock.known, agents_of(*thread_)),
                writes ? "writes" : "reads");
  } catch (...) {
    failure_ = std::current_exception();
  }
}

// Of a copy that this thread begins: what it knows, the copy knows.
void HostRun::watch_copy(const void* shared, std::uint32_t bytes, bool writes, HostAccesses::Moment moment) {
  if (!is_watched(*thread_)) return;
  SharedBytes& all = *accessed(shared);
  const HostKnowledge& known = thread_->clock.known;
  const std::size_t offset = all.offset_of(shared);
  check_order(writes ? all.accesses.write(offset, bytes, moment, known, agents_of(*thread_))
                     : all.accesses.read(offset, bytes, moment, known, agents_of(*thread_)),
              writes ? "begins a copy into" : "begins a bulk store of");
}

void HostRun::check_order(const std::optional<HostAccesses::Conflict>& conflict, const char* what) const {
  if (!conflict) return;
  const char* const did = conflict->wrote ? "wrote" : "read";
  if (conflict->lacks_fence) {
    fail(
        fmt::format("{} byte {} of shared memory, which {} {} with an ordinary access: call fence_for_bulk_copies "
                    "between the two accesses",
                    what, conflict->offset, agents_of(*thread_).name(conflict->with.agent), did));
  }
  fail(fmt::format("{} byte {} of shared memory, which {} {}: no barrier orders the two accesses", what,
                   conflict->offset, agents_of(*thread_).name(conflict->with.agent), did));
}

}  // namespace upsweep::runtime
