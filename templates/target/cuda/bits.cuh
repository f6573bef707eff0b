// Bits and bytes of a 32-bit word, and arithmetic on two packed values of 16 bits.
#pragma once

#include "target/types.cuh"

// Position of the highest set bit, -1 for none.
__device__ __forceinline__ int highest_bit(u32 bits) { return 31 - __clz(bits); }

// Position of the lowest set bit of a word in which any is set.
__device__ __forceinline__ int lowest_bit(u32 bits) { return __ffs(i32(bits)) - 1; }

__device__ __forceinline__ u32 count_bits(u32 bits) { return u32(__popc(bits)); }

// The lower word of two after a shift to the right by up to 31 bits.
__device__ __forceinline__ u32 shift_right(u32 low, u32 high, u32 bits) { return __funnelshift_r(low, high, bits); }

// Of the bytes 0 to 3 of `low` and 4 to 7 of `high`, those that the four hexadecimal digits name, the last digit first.
__device__ __forceinline__ u32 pick_bytes(u32 low, u32 high, u32 selector) { return __byte_perm(low, high, selector); }

// Adds the four bytes of a word to a sum.
__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, u8) { return __dp4a(word, 0x01010101u, sum); }

__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, i8) { return u32(__dp4a(i32(word), 0x01010101, i32(sum))); }

// Minimum and maximum of packed 16x2 values: of 16 bits, or of bytes in the upper byte of each 16 bits. One instruction
// each from sm_90 on.
__device__ __forceinline__ u32 minimum_16x2(u32 a, u32 b, u8) { return __vminu2(a, b); }

__device__ __forceinline__ u32 minimum_16x2(u32 a, u32 b, u16) { return __vminu2(a, b); }

__device__ __forceinline__ u32 minimum_16x2(u32 a, u32 b, i8) { return __vmins2(a, b); }

__device__ __forceinline__ u32 minimum_16x2(u32 a, u32 b, i16) { return __vmins2(a, b); }

__device__ __forceinline__ u32 maximum_16x2(u32 a, u32 b, u8) { return __vmaxu2(a, b); }

__device__ __forceinline__ u32 maximum_16x2(u32 a, u32 b, u16) { return __vmaxu2(a, b); }

__device__ __forceinline__ u32 maximum_16x2(u32 a, u32 b, i8) { return __vmaxs2(a, b); }

__device__ __forceinline__ u32 maximum_16x2(u32 a, u32 b, i16) { return __vmaxs2(a, b); }

// A word shifted to the left: by 32 bits and more, 0.
__device__ __forceinline__ u32 shift_left(u32 word, u32 bits) {
  u32 shifted;
  asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(word), "r"(bits));
  return shifted;
}

// Adds the products of the bytes of two words, from 0 to 255 each, to a sum.
__device__ __forceinline__ u32 add_products(u32 a, u32 b, u32 sum) { return __dp4a(a, b, sum); }
