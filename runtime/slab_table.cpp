#include "runtime/slab_table.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::uint64_t first_slots = 64;

// Ids of streams are small numbers in a row: multiplied by odd constants that spread them over the word (2^64 divided
// by the golden ratio, and one of splitmix64's finaliser).
std::uint64_t hash(const SlabKey& key) {
  std::uint64_t word = key.stream * 0x9e3779b97f4a7c15;
  word = (word ^ key.layout) * 0x94d049bb133111eb;
  return word ^ word >> 32;
}

}  // namespace

SlabTable::SlabTable() {
  generations_.push_back(std::make_unique<Slots>(first_slots));
  current_.store(generations_.back().get(), std::memory_order_release);
}

SlabTable::Slots::Place SlabTable::Slots::find(const SlabKey& key) const noexcept {
  for (std::uint64_t i = hash(key) & mask;; i = (i + 1) & mask) {
    const Slab* const slab = all[i].load(std::memory_order_acquire);
    if (slab == nullptr || slab->key() == key) return {i, slab};
  }
}

const Slab* SlabTable::find(const SlabKey& key) const noexcept {
  return current_.load(std::memory_order_acquire)->find(key).slab;
}

void SlabTable::put(const Slab& slab) {
  const bool is_new = find(slab.key()) == nullptr;
  if (is_new && 2 * (used_ + 1) > generations_.back()->all.size()) grow();
  Slots& slots = *generations_.back();
  slots.all[slots.find(slab.key()).slot].store(&slab, std::memory_order_release);
  if (is_new) ++used_;
}

void SlabTable::grow() {
  const Slots& before = *generations_.back();
  auto after = std::make_unique<Slots>(2 * before.all.size());
  for (const Slot& slot : before.all) {
    const Slab* const slab = slot.load(std::memory_order_relaxed);
    if (slab != nullptr) after->all[after->find(slab->key()).slot].store(slab, std::memory_order_relaxed);
  }
  generations_.push_back(std::move(after));
  current_.store(generations_.back().get(), std::memory_order_release);
}

}  // namespace upsweep::runtime
