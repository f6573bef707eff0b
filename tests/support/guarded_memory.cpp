#include "tests/support/guarded_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::test {
namespace {

constexpr std::size_t guard = 64;

}  // namespace

GuardedMemory::GuardedMemory(runtime::Device& device, std::uint64_t bytes, std::size_t offset, Stream stream)
    : device_(&device), at_(guard + offset), buffer_(device, at_ + bytes + guard) {
  device.fill(buffer_.data(), std::to_integer<std::uint8_t>(poison), buffer_.bytes(), stream);
}

std::vector<std::byte> GuardedMemory::fetch(Stream stream) const {
  std::vector<std::byte> all(buffer_.bytes());
  device_->copy_to_host(all.data(), buffer_.data(), all.size(), stream);
  return all;
}

std::optional<std::string> first_difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& got,
                                            const char* what, std::size_t item) {
  const auto [left, right] = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  if (left == expected.end() && right == got.end()) return std::nullopt;
  return fmt::format("{}: byte {} (item {}) is {:#04x} instead of {:#04x}", what, left - expected.begin(),
                     static_cast<std::size_t>(left - expected.begin()) / item,
                     right == got.end() ? 0 : std::to_integer<int>(*right),
                     left == expected.end() ? 0 : std::to_integer<int>(*left));
}

}  // namespace upsweep::test
