// Device memory with as many bytes on either side that nobody may write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device.hpp"

namespace upsweep::test {

class GuardedMemory {
 public:
  static constexpr std::byte poison{0xa7};

  // Filled with poison; the array begins `offset` bytes behind an aligned address.
  GuardedMemory(runtime::Device& device, std::uint64_t bytes, std::size_t offset, Stream stream);

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(buffer_.data()) + at_; }
  // Where the array begins in what fetch() returns.
  [[nodiscard]] std::size_t offset() const { return at_; }
  // The array and its guards.
  [[nodiscard]] std::vector<std::byte> fetch(Stream stream) const;

 private:
  runtime::Device* device_;
  std::size_t at_;
  runtime::Buffer buffer_;
};

// The first byte that differs, if any does. `item`: bytes of an item.
[[nodiscard]] std::optional<std::string> first_difference(const std::vector<std::byte>& expected,
                                                          const std::vector<std::byte>& got, const char* what,
                                                          std::size_t item);

}  // namespace upsweep::test
