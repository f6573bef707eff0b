#include "runtime/host/in_flight.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "runtime/host/phase_barrier.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::size_t most_in_flight = 4096;  // copies; more happen at every turn
constexpr std::uint32_t paces = 7;            // at which late copies happen: one in 2, 4, ..., 128 turns

}  // namespace

void HostInFlight::begin(HostCopy copy) {
  copy.thread = &fibers_.self();
  fibers_.schedule.late_copies ? put_off(std::move(copy)) : happen(std::move(copy));
  fibers_.maybe_preempt();
}

void HostInFlight::put_off(HostCopy copy) {
  if (probability_ == 0.0) probability_ = 0.5 / (1u << fibers_.random.below(paces));
  // Whoever reads the destination too early reads garbage.
  if (copy.kind == HostCopy::Kind::bulk_load || copy.kind == HostCopy::Kind::async_load)
    shared_.spoil(copy.to, copy.bytes);
  copies_.push_back(std::move(copy));
}

// ---- happening

void HostInFlight::let_late_happen() {
  while (!copies_.empty() &&
         (fibers_.none_can_run() || copies_.size() > most_in_flight || fibers_.random.chance(probability_))) {
    happen(take(fibers_.random.below(copies_.size())));
  }
}

void HostInFlight::happen(HostCopy copy) {
  fibers_.note_progress();
  HostThread& thread = *copy.thread;
  switch (copy.kind) {
    case HostCopy::Kind::bulk_load: {
      std::memcpy(copy.to, copy.from, copy.bytes);
      touch(thread, copy.to, copy.bytes);
      HostPhaseBarrier& barrier = phase_barrier(thread, copy.barrier);
      if (is_watched(thread)) barrier.arrived_known.seen.raise(copy.moment.agent, copy.moment.time);
      count_bytes(thread, barrier, -std::int64_t{copy.bytes});
      maybe_end_phase(fibers_, barrier);
      break;
    }
    case HostCopy::Kind::async_load:
      std::memcpy(copy.to, copy.from, copy.bytes);
      break;
    case HostCopy::Kind::arrival:
      happen_async_loads(thread);
      if (is_watched(thread)) {
        HostKnowledge& arrived = phase_barrier(thread, copy.barrier).arrived_known;
        arrived.seen.raise(copy.moment.agent, copy.moment.time);
      }
      count_arrival(fibers_, thread, phase_barrier(thread, copy.barrier));
      break;
    case HostCopy::Kind::store_read:
      touch(thread, copy.from, copy.bytes);
      if (!fibers_.schedule.late_copies) {
        std::memcpy(copy.to, copy.from, copy.bytes);
        break;
      }
      copy.data.assign(copy.from, copy.from + copy.bytes);
      copy.kind = HostCopy::Kind::store_write;
      copies_.push_back(std::move(copy));
      if (thread.state == HostState::wait_bulk_stores_read) fibers_.wake(thread);
      break;
    case HostCopy::Kind::store_write:
      std::memcpy(copy.to, copy.data.data(), copy.bytes);
      break;
    case HostCopy::Kind::word_store:
      --thread.late_stores;
      memory_.store(thread.observer, copy.to, copy.data.data(), copy.bytes, false);
  }
}

HostCopy HostInFlight::take(std::size_t index) {
  std::swap(copies_[index], copies_.back());
  HostCopy taken = std::move(copies_.back());
  copies_.pop_back();
  return taken;
}

void HostInFlight::touch(const HostThread& thread, const void* shared, std::uint32_t bytes) {
  SharedBytes& all = *thread.block->shared_with(shared, bytes);
  all.bulk.touch(all.data(), all.size(), all.offset_of(shared), bytes, cluster_of(*thread.block).fences);
}

// Those that the thread began after an arrival may as well come in before it.
void HostInFlight::happen_async_loads(const HostThread& thread) {
  for (std::size_t index = copies_.size(); index-- > 0;) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::async_load && copy.thread == &thread) happen(take(index));
  }
}

void HostInFlight::begin_store(void* to, const void* from, std::uint32_t bytes) {
  const auto* const data = static_cast<const std::byte*>(from);
  HostThread& self = fibers_.self();
  ++self.late_stores;
  put_off({.kind = HostCopy::Kind::word_store,
           .thread = &self,
           .to = static_cast<std::byte*>(to),
           .bytes = bytes,
           .number = ++stores_,
           .data = {data, data + bytes}});
}

void HostInFlight::finish_first_store(HostThread& thread) {
  std::size_t first = copies_.size();
  for (std::size_t index = 0; index < copies_.size(); ++index) {
    const HostCopy& copy = copies_[index];
    if (copy.kind != HostCopy::Kind::word_store || copy.thread != &thread) continue;
    if (first == copies_.size() || copy.number < copies_[first].number) first = index;
  }
  happen(take(first));
}

void HostInFlight::finish_late_store_to(const void* to) {
  for (std::size_t index = 0; index < copies_.size(); ++index) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::word_store && copy.thread == &fibers_.self() && copy.to == to) {
      return happen(take(index));
    }
  }
}

bool HostInFlight::has_unread_stores(const HostThread& thread, std::uint32_t groups) const noexcept {
  for (std::size_t index = 0; index < copies_.size(); ++index) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::store_read && copy.thread == &thread && copy.group < groups) return true;
  }
  return false;
}

void HostInFlight::end(const HostBlock& block) {
  for (std::size_t index = copies_.size(); index-- > 0;) {
    const HostCopy& copy = copies_[index];
    if (copy.kind == HostCopy::Kind::store_write || copy.thread->block != &block) continue;
    if (copy.kind != HostCopy::Kind::arrival) {
      fail_at(*copy.thread,
              fmt::format("exited while {} bytes of bulk loads are pending that no phase of an mbarrier expects",
                          copy.bytes));
    }
    happen(take(index));
  }
}

void HostInFlight::end(const HostGrid& grid) {
  for (std::size_t index = copies_.size(); index-- > 0;) {
    if (copies_[index].thread->block->grid == &grid) happen(take(index));
  }
}

}  // namespace upsweep::runtime
