// The bytes of an array, without overflow for any number of items.
#pragma once

#include <cstdint>
#include <limits>

#include <upsweep/types.hpp>

namespace upsweep {

// The greatest number there is where it has no room in 64 bits: more than any device has.
[[nodiscard]] constexpr std::uint64_t bytes_of(std::uint64_t items, std::uint64_t bytes_of_item) noexcept {
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(items, bytes_of_item, &bytes) ? std::numeric_limits<std::uint64_t>::max() : bytes;
}
[[nodiscard]] inline std::uint64_t bytes_of(std::uint64_t items, Type type) noexcept {
  return bytes_of(items, static_cast<std::uint64_t>(size_of(type)));
}

}  // namespace upsweep
