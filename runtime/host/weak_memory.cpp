#include "runtime/host/weak_memory.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::runtime {

std::uint32_t HostView::operator[](std::size_t word) const noexcept {
  return oldest_ != nullptr && word < oldest_->size() ? (*oldest_)[word] : 0;
}

std::vector<std::uint32_t>& HostView::own() {
  if (oldest_ == nullptr) {
    oldest_ = std::make_shared<std::vector<std::uint32_t>>();
  } else if (oldest_.use_count() > 1) {
    oldest_ = std::make_shared<std::vector<std::uint32_t>>(*oldest_);
  }
  return *oldest_;
}

void HostView::raise(std::size_t word, std::uint32_t message) {
  if ((*this)[word] >= message) return;
  std::vector<std::uint32_t>& oldest = own();
  if (oldest.size() <= word) oldest.resize(word + 1);
  oldest[word] = message;
}

void HostView::join(const HostView& other) {
  if (other.oldest_ == nullptr || same_as(other)) return;
  if (oldest_ == nullptr) {
    oldest_ = other.oldest_;
    return;
  }
  const std::vector<std::uint32_t>& from = *other.oldest_;
  std::vector<std::uint32_t>& oldest = own();
  if (oldest.size() < from.size()) oldest.resize(from.size());
  for (std::size_t word = 0; word < from.size(); ++word) oldest[word] = std::max(oldest[word], from[word]);
}

WeakMemory::Word& WeakMemory::word_at(const void* address, std::uint32_t bytes) {
  const auto [found, is_new] = words_.try_emplace(address);
  Word& word = found->second;
  if (is_new) {
    word.number = static_cast<std::uint32_t>(words_.size() - 1);
    word.bytes = bytes;
  } else if (word.bytes != bytes) {
    throw DeviceError(
        fmt::format("the kernel accesses the same word as {} bytes and as {} bytes in one launch, which no memory "
                    "model allows: use one type for the word",
                    word.bytes, bytes));
  }
  // The first message is what the launch found; a later difference was written by an ordinary store.
  if (is_new || std::memcmp(word.messages.back().value, address, bytes) != 0) {
    std::memcpy(word.messages.emplace_back().value, address, bytes);
  }
  return word;
}

void WeakMemory::load(Observer& observer, HostRandom& random, void* to, const void* from, std::uint32_t bytes,
                      bool acquire) {
  const Word& word = word_at(from, bytes);
  const auto newest = static_cast<std::uint32_t>(word.messages.size() - 1);
  const std::uint32_t oldest = observer.view[word.number];
  std::uint32_t chosen = newest;
  if (oldest < newest && observer.stale_reads < most_stale_reads && random.chance(stale_probability_)) {
    chosen = oldest + random.below(newest - oldest);
    ++observer.stale_reads;
  } else {
    observer.stale_reads = 0;
  }
  const Message& message = word.messages[chosen];
  std::memcpy(to, message.value, bytes);
  observer.view.raise(word.number, chosen);
  observer.loads_read.join(message.loads);
  if (acquire) {
    observer.view.join(message.released);
    observer.loads.join(message.loads);
  }
}

void WeakMemory::store(Observer& observer, void* to, const void* from, std::uint32_t bytes, bool release) {
  Word& word = word_at(to, bytes);
  std::memcpy(to, from, bytes);
  Message& message = word.messages.emplace_back();
  std::memcpy(message.value, from, bytes);
  observer.view.raise(word.number, static_cast<std::uint32_t>(word.messages.size() - 1));
  if (release) message.released = observer.view;
  message.loads = release ? observer.loads : observer.loads_fenced;
}

// Reads the newest message, and continues the release sequence that it belongs to.
template <typename Unsigned>
Unsigned WeakMemory::add(Observer& observer, Unsigned* to, Unsigned value, HostOrder order) {
  Word& word = word_at(to, sizeof(*to));
  const bool releases = order == HostOrder::release || order == HostOrder::acquire_release;
  HostView released = word.messages.back().released, loads = word.messages.back().loads;
  observer.loads_read.join(loads);
  if (order == HostOrder::acquire_release) {
    observer.view.join(released);
    observer.loads.join(loads);
  }
  const Unsigned before = *to;
  *to = before + value;
  Message& message = word.messages.emplace_back();
  std::memcpy(message.value, to, sizeof(*to));
  observer.view.raise(word.number, static_cast<std::uint32_t>(word.messages.size() - 1));
  if (releases) released.join(observer.view);
  message.released = released;
  loads.join(releases ? observer.loads : observer.loads_fenced);
  message.loads = loads;
  return before;
}

template std::uint32_t WeakMemory::add(Observer&, std::uint32_t*, std::uint32_t, HostOrder);
template std::uint64_t WeakMemory::add(Observer&, std::uint64_t*, std::uint64_t, HostOrder);

}  // namespace upsweep::runtime
