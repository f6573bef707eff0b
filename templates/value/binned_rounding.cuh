// Rounding of a sum in bins.
#pragma once

#include "target/cuda.cuh"
#include "target/cuda/rounding.cuh"

// IEEE 754 binary32 and binary64.
template <typename Part>
struct BinnedPart;

template <>
struct BinnedPart<float> {
  using Bits = u32;
  using Signed = i32;
  static constexpr bool is_wide = false;  // 2^40 slices of 23 bits have room in 64 bits
  static constexpr int width = 23, upper_width = 23, bias = 127, sign = 31;  // width: of a bin, and of the significand
  static constexpr u32 exponents = 0xff, infinity = 0x7f800000u, nan = 0x7fc00000u;
};

template <>
struct BinnedPart<double> {
  using Bits = u64;
  using Signed = i64;
  static constexpr bool is_wide = true;
  static constexpr int width = 52, upper_width = 20, bias = 1023, sign = 63;
  static constexpr u32 exponents = 0x7ff;
  static constexpr u64 infinity = 0x7ff0000000000000ull, nan = 0x7ff8000000000000ull;
};

// An integer of so many bits or a few more, in words, the lowest first.
template <int bits>
struct Digits {
  static constexpr int words = (bits + 31) / 32;
  u32 word[words] = {};

  // Adds an integer of 96 bits, multiplied by 2^shift.
  __device__ __forceinline__ void add(u64 low, i32 high, int shift) {
    const u32 sign = high < 0 ? 0xffffffffu : 0;
    u64 carry = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const int at = w - shift / 32;
      const auto of_number = [&](int i) {
        return i < 0 ? 0 : i == 0 ? u32(low) : i == 1 ? u32(low >> 32) : i == 2 ? u32(high) : sign;
      };
      const u64 both = u64(of_number(at)) << 32 | of_number(at - 1);
      carry += u64(word[w]) + u32(both << shift % 32 >> 32);
      word[w] = u32(carry);
      carry >>= 32;
    }
  }

  __device__ __forceinline__ bool is_negative() const { return word[words - 1] >> 31 != 0; }

  __device__ __forceinline__ void negate() {
    u64 carry = 1;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      carry += u32(~word[w]);
      word[w] = u32(carry);
      carry >>= 32;
    }
  }

  // Position of the highest bit that is set, -1 for none.
  __device__ __forceinline__ int highest() const {
    int found = -1;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      if (word[w] != 0) found = w * 32 + highest_bit(word[w]);
    }
    return found;
  }

  // The 64 bits from a position on.
  __device__ __forceinline__ u64 from(int position) const {
    u64 found = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const int to = w * 32 - position;
      if (to > -32 && to < 0) found |= word[w] >> -to;
      if (to >= 0 && to < 64) found |= u64(word[w]) << to;
    }
    return found;
  }

  // Whether a bit below a position is set.
  __device__ __forceinline__ bool any_below(int position) const {
    u32 found = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const int bits_below = position - w * 32;
      if (bits_below >= 32) found |= word[w];
      if (bits_below > 0 && bits_below < 32) found |= word[w] & ((1u << bits_below) - 1);
    }
    return found != 0;
  }

  // The number times 2^exponent, rounded to nearest even. It is a multiple of the least number of the type.
  template <typename Part>
  __device__ __forceinline__ Part rounded(int exponent) {
    using Format = BinnedPart<Part>;
    using Bits = typename Format::Bits;
    const bool is_minus = is_negative();
    if (is_minus) negate();
    int highest_digit = highest();
    if (highest_digit < 0) return Part(0);
    const int dropped = highest_digit - Format::width;
    u64 significand = dropped > 0 ? from(dropped) : from(0) << -dropped;
    if (dropped > 0 && (from(dropped - 1) & 1) != 0 && ((significand & 1) != 0 || any_below(dropped - 1))) {
      significand += 1;
      if (significand >> (Format::width + 1) != 0) {
        significand >>= 1;
        ++highest_digit;
      }
    }
    const int field = highest_digit + exponent + Format::bias;
    if (field >= int(Format::exponents)) return part_of_bits(Format::infinity | Bits(is_minus) << Format::sign);
    // Numbers below the least normal one have the exponent 0, and so many digits less.
    const Bits magnitude =
        field > 0 ? Bits(significand) + (Bits(field - 1) << Format::width) : Bits(significand >> (1 - field));
    return part_of_bits(magnitude | Bits(is_minus) << Format::sign);
  }
};
