// Values and their bytes, and how often memory on the device was compared.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "tuner/verify/number.hpp"
#include "tuner/verify/verification.hpp"

namespace upsweep::tuner {

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

template <typename T>
std::vector<T> values_of(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

// A device that says whether memory is the same.
struct Compared {
  [[nodiscard]] Verifier::Comparison comparison() {
    const auto compare = [this](const void* a, const void* b, std::uint64_t bytes, runtime::Stream) {
      EXPECT_EQ(bytes % 16, 0u);
      const bool same = std::memcmp(a, b, bytes) == 0;
      (same ? equal : different) += 1;
      differs = differs || !same;
    };
    return {[this](runtime::Stream) { differs = false; }, compare, [this](runtime::Stream) { return !differs; }};
  }
  bool differs = false;
  int equal = 0, different = 0;
};

}  // namespace upsweep::tuner
