// Bits and bytes of a 32-bit word, and arithmetic on two packed values of 16 bits.
#pragma once

#include "target/host_interface.cuh"
#include "target/types.cuh"

// Position of the highest set bit, -1 for none.
__device__ __forceinline__ int highest_bit(u32 bits) { return bits == 0 ? -1 : 31 - __builtin_clz(bits); }

// Position of the lowest set bit of a word in which any is set.
__device__ __forceinline__ int lowest_bit(u32 bits) { return __builtin_ctz(bits); }

__device__ __forceinline__ u32 count_bits(u32 bits) { return u32(__builtin_popcount(bits)); }

// The lower word of two after a shift to the right by up to 31 bits.
__device__ __forceinline__ u32 shift_right(u32 low, u32 high, u32 bits) { return u32((u64(high) << 32 | low) >> bits); }

// Of the bytes 0 to 3 of `low` and 4 to 7 of `high`, those that the four hexadecimal digits name, the last digit first.
__device__ __forceinline__ u32 pick_bytes(u32 low, u32 high, u32 selector) {
  u32 picked = 0;
  for (int i = 0; i < 4; ++i) picked |= u32((u64(high) << 32 | low) >> (selector >> 4 * i & 7u) * 8 & 0xffu) << 8 * i;
  return picked;
}

// Adds the four bytes of a word to a sum.
__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, u8) {
  return sum + (word & 0xffu) + (word >> 8 & 0xffu) + (word >> 16 & 0xffu) + (word >> 24);
}

__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, i8) {
  for (int i = 0; i < 4; ++i) sum += u32(i32(i8(word >> 8 * i)));
  return sum;
}

// Minimum and maximum of packed 16x2 values: of 16 bits, or of bytes in the upper byte of each 16 bits.
template <typename Half>
u32 select_16x2(u32 a, u32 b, bool greater) {
  u32 selected = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    const Half x = Half(a >> shift), y = Half(b >> shift);
    selected |= u32(u16((x > y) == greater ? x : y)) << shift;
  }
  return selected;
}

template <typename Item>
u32 minimum_16x2(u32 a, u32 b, Item) {
  return Item(-1) > Item(0) ? select_16x2<u16>(a, b, false) : select_16x2<i16>(a, b, false);
}

template <typename Item>
u32 maximum_16x2(u32 a, u32 b, Item) {
  return Item(-1) > Item(0) ? select_16x2<u16>(a, b, true) : select_16x2<i16>(a, b, true);
}

// A word shifted to the left: by 32 bits and more, 0.
__device__ __forceinline__ u32 shift_left(u32 word, u32 bits) { return bits < 32 ? word << bits : 0; }

// Adds the products of the bytes of two words, from 0 to 255 each, to a sum.
__device__ __forceinline__ u32 add_products(u32 a, u32 b, u32 sum) {
  for (int i = 0; i < 32; i += 8) sum += (a >> i & 0xffu) * (b >> i & 0xffu);
  return sum;
}
