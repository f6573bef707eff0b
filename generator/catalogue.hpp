// The entries of one kind (types, operators or algorithms), by dense number. Built-in ones have the numbers of their
// public enumeration; those that are added at run time follow. Entries are immutable and live as long as the process.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep {

template <typename Id, typename Entry, std::size_t capacity>
class Catalogue {
 public:
  // `entries`: the built-in entries, in any order. Called once, when the first entry is asked for.
  constexpr Catalogue(const char* what, std::vector<const Entry*> (*entries)()) noexcept
      : what_(what), built_in_(entries) {}
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  // The number must be one of the enumeration, or one that add() returned. Costs one load after the first call.
  [[nodiscard]] const Entry& at(Id id) noexcept {
    const auto index = static_cast<std::size_t>(id);
    if (const Entry* const known = entries_[index].load(std::memory_order_acquire)) return *known;
    fill();
    return *entries_[index].load(std::memory_order_acquire);
  }

  // The built-in entries. Every call returns the same memory.
  [[nodiscard]] std::span<const Id> built_in() {
    static const auto& ids = *new std::vector<Id>([this] {
      std::vector<Id> found;
      for (const Id id : all()) {
        if (at(id).is_built_in()) found.push_back(id);
      }
      return found;
    }());
    return ids;
  }

  // The built-in entries, then those that were added.
  [[nodiscard]] std::vector<Id> all() {
    fill();
    std::vector<Id> ids;
    for (std::size_t i = 0; i < count_.load(std::memory_order_acquire); ++i) ids.push_back(static_cast<Id>(i));
    return ids;
  }

  [[nodiscard]] std::optional<Id> find(std::string_view name) {
    for (const Id id : all()) {
      if (at(id).name == name) return id;
    }
    return std::nullopt;
  }

  // Adds an entry and returns its number. If the catalogue has an entry of that name, nothing is added and the number
  // of that entry is returned. Throws UsageError if the catalogue is full.
  Id add(Entry entry) {
    fill();
    const std::lock_guard lock(mutex_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i) {
      if (entries_[i].load(std::memory_order_relaxed)->name == entry.name) return static_cast<Id>(i);
    }
    if (count == capacity) {
      throw UsageError(
          fmt::format("a process can define {} {}s at most: define each once and keep it", capacity, what_));
    }
    entries_[count].store(new Entry(std::move(entry)), std::memory_order_release);
    count_.store(count + 1, std::memory_order_release);
    return static_cast<Id>(count);
  }

 private:
  // In the order of the enumeration. Entries that are not in it follow, in the order of their names.
  static auto place(const Entry& entry) {
    const std::size_t index = entry.enumerator ? static_cast<std::size_t>(*entry.enumerator) : capacity;
    return std::pair(index, std::string_view(entry.name));
  }

  void fill() noexcept {
    if (count_.load(std::memory_order_acquire) > 0) return;
    const std::lock_guard lock(mutex_);
    if (count_.load(std::memory_order_relaxed) > 0) return;
    std::vector<const Entry*> entries = built_in_();
    std::sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) { return place(*a) < place(*b); });
    for (std::size_t i = 0; i < entries.size(); ++i) entries_[i].store(entries[i], std::memory_order_release);
    count_.store(entries.size(), std::memory_order_release);
  }

  const char* what_;
  std::vector<const Entry*> (*built_in_)();
  std::array<std::atomic<const Entry*>, capacity> entries_{};
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
};

}  // namespace upsweep
