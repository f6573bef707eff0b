// What test data are made with: random numbers, and arrays of items from the numbers of their fields.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>

#include "base/cancellation.hpp"
#include "generator/value_type.hpp"
#include "tuner/verify/number.hpp"

namespace upsweep::tuner {

// Only this generator's own output is used: the standard's distributions differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  double unit() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }  // in [0, 1)
  bool chance(double probability) { return unit() < probability; }
  std::int64_t between(std::int64_t low, std::int64_t high) {  // both included
    return low + static_cast<std::int64_t>(engine_() % (static_cast<std::uint64_t>(high - low) + 1));
  }

 private:
  std::mt19937_64 engine_;
};

using Next = std::function<Number(std::uint64_t i)>;

// Writes a field of n items. The numbers are made in the order of the items.
inline void store_field(const Field& field, std::size_t item_bytes, std::uint64_t n, const Next& next, Bytes& data) {
  constexpr std::uint64_t items_between_looks = 4096;  // for a cancellation
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i % items_between_looks == 0) base::throw_if_cancelled();
    store_number(field.type, next(i), data.data() + i * item_bytes + field.offset);
  }
}

}  // namespace upsweep::tuner
