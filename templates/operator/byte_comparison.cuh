// Comparisons of four bytes at once. Bit 7 of a byte of the result says whether the comparison holds for the bytes
// there; all other bits are 0.
#pragma once

#include "parameters.cuh"

constexpr u32 high_bits = 0x80808080;

// Whether bytes of `a`, numbers of type T, are less than those of `b`. With the high bits out of the way, a byte less
// another one borrows from no byte but its own. Of signed bytes, those with bit 7 set are the lesser ones.
template <typename T>
__device__ __forceinline__ u32 less_in_bytes(u32 a, u32 b, T) {
  constexpr bool is_signed = T(-1) < T(0);
  const u32 no_less = (a | high_bits) - (b & ~high_bits);  // bit 7: the lower seven bits are no less
  const u32 less_by_bit_7 = is_signed ? a & ~b : ~a & b;
  return (less_by_bit_7 | (~(a ^ b) & ~no_less)) & high_bits;
}

// Whether bytes differ.
__device__ __forceinline__ u32 differ_in_bytes(u32 a, u32 b) {
  const u32 other = a ^ b;
  return (((other & ~high_bits) + ~high_bits) | other) & high_bits;
}
