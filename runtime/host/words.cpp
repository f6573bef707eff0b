#include "runtime/host/words.hpp"

#include <cstring>

namespace upsweep::runtime {
namespace {

constexpr std::uint32_t loads_per_turn = 16;
constexpr double late_store = 0.5;  // probability

void copy_word(void* to, const void* from, std::uint32_t bytes) {
  switch (bytes) {
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    default:
      std::memcpy(to, from, 16);
  }
}

}  // namespace

void HostWords::load(void* to, const void* from, std::uint32_t bytes, HostOrder order) {
  fibers_.maybe_preempt();
  HostThread& self = fibers_.self();
  const bool again = self.last_load == from;
  self.last_load = from;
  fibers_.note_poll(again ? HostFibers::poll_weight : 1);
  if (again || ++self.loads >= loads_per_turn) fibers_.yield();
  in_flight_.finish_store_to(from);
  if (fibers_.schedule.weak_memory) {
    memory_.load(self.observer, fibers_.random, to, from, bytes, order == HostOrder::acquire);
  } else {
    copy_word(to, from, bytes);
  }
}

void HostWords::store(void* to, const void* from, std::uint32_t bytes, HostOrder order) {
  fibers_.maybe_preempt();
  fibers_.note_progress();
  if (order == HostOrder::release) finish_own();
  in_flight_.finish_store_to(to);
  if (order == HostOrder::relaxed && overlaps_ && fibers_.schedule.weak_memory && fibers_.random.chance(late_store)) {
    in_flight_.begin_store(to, from, bytes);
  } else if (fibers_.schedule.weak_memory) {
    memory_.store(fibers_.self().observer, to, from, bytes, order == HostOrder::release);
  } else {
    copy_word(to, from, bytes);
  }
  loads_.delay_publisher();
  fibers_.maybe_preempt();
}

template <typename Unsigned>
Unsigned HostWords::add(Unsigned* to, Unsigned value, HostOrder order) {
  fibers_.maybe_preempt();
  fibers_.note_progress();
  if (order == HostOrder::release || order == HostOrder::acquire_release) finish_own();
  in_flight_.finish_store_to(to);
  Unsigned before = *to;
  if (fibers_.schedule.weak_memory) {
    before = memory_.add(fibers_.self().observer, to, value, order);
  } else {
    *to = before + value;
  }
  fibers_.maybe_preempt();
  return before;
}

template std::uint32_t HostWords::add(std::uint32_t*, std::uint32_t, HostOrder);
template std::uint64_t HostWords::add(std::uint64_t*, std::uint64_t, HostOrder);

// What comes later may not be seen before what the thread has begun.
void HostWords::finish_own() {
  in_flight_.finish_stores(fibers_.self());
  loads_.finish(fibers_.self());
}

void HostWords::wait() {
  fibers_.note_poll(HostFibers::poll_weight);
  fibers_.yield();
}

void HostWords::fence() {
  fibers_.maybe_preempt();
  finish_own();
  if (fibers_.schedule.weak_memory) fibers_.self().fenced_view = fibers_.self().observer.view;
  fibers_.self().observer.fence();
  fibers_.maybe_preempt();
}

}  // namespace upsweep::runtime
