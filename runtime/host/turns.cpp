#include "runtime/host/turns.hpp"

#include <algorithm>

namespace upsweep::runtime {
namespace {

constexpr std::uint32_t lanes_per_warp = 32;
constexpr std::uint32_t paces = 6;             // of stalls: one in up to 64, 128, ..., 2048 turns
constexpr std::uint32_t shortest_pace = 64;    // turns
constexpr std::uint32_t shortest_stall = 32;   // turns
constexpr std::uint32_t lengths = 8;           // of stalls: up to 32, 64, ..., 4096 turns
constexpr std::size_t most_asked = 64;         // threads looked at for one that is not held back
constexpr double late_start = 0.25;            // probability
constexpr std::uint32_t longest_delay = 4096;  // turns

}  // namespace

void HostQueue::grow(std::size_t capacity) {
  std::vector<HostThread*> ring(std::max(capacity, ring_.size()));
  for (std::size_t index = 0; index < size_; ++index) ring[index] = slot(index);
  ring_ = std::move(ring);
  first_ = 0;
}

HostTurns::HostTurns(const HostSchedule& schedule, HostRandom& random)
    : random_(random), random_order_(schedule.random_threads), preempt_probability_(schedule.preempt_probability) {
  if (!random_order_) return;
  stall_period_ = shortest_pace << random_.below(paces);
  longest_stall_ = shortest_stall << random_.below(lengths);
}

HostThread& HostTurns::next() {
  if (!random_order_) return queue_.take(0);
  if (++turns_ >= next_stall_) {
    begin_stall(*queue_.slot(random_.below(queue_.size())));
    next_stall_ = turns_ + 1 + random_.below(stall_period_);
  }
  return queue_.take(waits_least());
}

// A random one that is not held back, if one is soon found.
std::size_t HostTurns::waits_least() noexcept {
  const std::size_t size = queue_.size(), first = random_.below(size);
  for (int again = 0; again < 4; ++again) {
    const std::size_t index = again == 0 ? first : random_.below(size);
    if (!is_held_back(index)) return index;
  }
  for (std::size_t asked = 1; asked < std::min(size, most_asked); ++asked) {
    const std::size_t index = (first + asked) % size;
    if (!is_held_back(index)) return index;
  }
  return first;
}

void HostTurns::begin_stall(HostThread& thread) {
  HostBlock& block = *thread.block;
  HostThread* const all = block.threads.data();
  const std::size_t warp = thread.position.thread / lanes_per_warp * lanes_per_warp, count = block.threads.size();
  switch (random_.below(8)) {
    case 0:
    case 1:
    case 2:
      return hold_back(&thread, 1);
    case 3:
    case 4:
      return hold_back(all + warp, lanes_per_warp);
    case 5:
      return hold_back(all, count);
    case 6:
      hold_back(all, warp);
      return hold_back(all + warp + lanes_per_warp, count - warp - lanes_per_warp);
    default:  // for a while nobody is
      break;
  }
}

void HostTurns::hold_back(HostThread* first, std::size_t count) {
  const std::uint64_t until = turns_ + 1 + random_.below(longest_stall_);
  for (HostThread* thread = first; thread != first + count; ++thread) thread->held_until = until;
}

void HostTurns::delay(HostThread& thread) {
  thread.held_until = turns_ + 1 + random_.below(longest_delay);
}

void HostTurns::start(HostBlock& block) {
  for (HostThread& thread : block.threads) thread.held_until = 0;
  if (random_order_ && random_.chance(late_start)) hold_back(block.threads.data(), block.threads.size());
}

}  // namespace upsweep::runtime
