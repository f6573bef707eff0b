// Sums over one thread's bytes, four at a time, packed 16x2: 16 bits hold the sum of five bytes.
#pragma once

#include "parameters.cuh"

static_assert(sizeof(Input) == 1 && sizeof(Output) == 1, "sums of bytes that are bytes");

// The sum of all bytes so far, modulo 256, twice.
struct RunningSum {
  u32 packed;
};

__device__ __forceinline__ RunningSum begin_sum(Accumulator carry) { return {pick_bytes(u32(carry), 0, 0x4040)}; }

// The sums up to each byte of a word, modulo 256.
__device__ __forceinline__ u32 sums_of_bytes(u32 word, RunningSum& running) {
  const u32 odd = pick_bytes(word, 0, 0x4341);  // bytes 1 and 3
  const u32 pairs = word - 255 * odd;           // bytes 0 + 1 and 2 + 3
  const u32 up_to_odd = pairs * 0x10001 + running.packed;
  const u32 up_to_even = up_to_odd - odd;
  running.packed = pick_bytes(up_to_odd, 0, 0x4242);
  return pick_bytes(up_to_even, up_to_odd, 0x6240);
}
