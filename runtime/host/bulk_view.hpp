// What bulk copies know of a block's shared memory, to find stores that no fence came before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace upsweep::runtime {

// A bulk store may miss what was written by ordinary stores after the last fence. These cannot be seen here, but that
// the memory changed since a bulk copy last touched it can be, and that nobody fenced in between. A fence by anybody,
// for whatever, counts, so this finds not every mistake, but all it finds are mistakes.
class HostBulkView {
 public:
  static constexpr std::size_t granule = 16;  // bytes, of the addresses and sizes of bulk copies

  void clear() noexcept { touched_.clear(); }

  // A bulk copy has read or written these bytes, after so many fences.
  void touch(const std::byte* shared, std::size_t size, std::size_t offset, std::size_t bytes, std::uint32_t fences) {
    if (touched_.empty()) touched_.assign(size / granule + 1, 0);
    if (seen_.size() < size) seen_.resize(size);
    std::memcpy(seen_.data() + offset, shared + offset, bytes);
    const auto first = touched_.begin() + static_cast<std::ptrdiff_t>(offset / granule);
    std::fill(first, first + static_cast<std::ptrdiff_t>(bytes / granule), fences + 1);
  }

  // Whether a bulk store of these bytes may miss some of them.
  [[nodiscard]] bool misses(const std::byte* shared, std::size_t offset, std::size_t bytes,
                            std::uint32_t fences) const noexcept {
    if (fences == 0) return true;
    if (touched_.empty()) return false;
    for (std::size_t at = offset; at < offset + bytes; at += granule) {
      if (touched_[at / granule] == fences + 1 && std::memcmp(seen_.data() + at, shared + at, granule) != 0)
        return true;
    }
    return false;
  }

 private:
  std::vector<std::byte> seen_;         // the bytes as they were then
  std::vector<std::uint32_t> touched_;  // of each granule: one more than the fences there were then, 0 for never
};

}  // namespace upsweep::runtime
