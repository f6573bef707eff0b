// A small generator of random numbers, the same on every machine (which the standard library's distributions are not).
#pragma once

#include <cstdint>

namespace upsweep::runtime {

// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
class HostRandom {
 public:
  explicit HostRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  // From 0 to count - 1; count is below 2^32. The bias is at most count / 2^32.
  std::uint32_t below(std::uint64_t count) noexcept { return static_cast<std::uint32_t>((next() >> 32) * count >> 32); }

  // From 0 to below 1.
  double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

  bool chance(double probability) noexcept { return probability > 0 && unit() < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace upsweep::runtime
