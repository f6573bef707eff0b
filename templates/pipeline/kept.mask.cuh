// What a worker keeps of a tile from its fold to its scan, besides the exclusive prefix: which of its items are marked.
// The items are then compared once, not twice.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

constexpr int mask_words = (thread_items + 31) / 32;

// Bit i of word w: whether the thread's item 32 * w + i is marked.
struct Kept {
  u32 word[mask_words];
};

__device__ __forceinline__ u32 count_of(const Kept& kept) {
  u32 count = 0;
#pragma unroll
  for (int w = 0; w < mask_words; ++w) count += count_bits(kept.word[w]);
  return count;
}

// The last of the thread's items that is marked; -1 if none is.
__device__ __forceinline__ int last_of(const Kept& kept) {
  int last = -1;
#pragma unroll
  for (int w = 0; w < mask_words; ++w) {
    if (kept.word[w] != 0) last = w * 32 + highest_bit(kept.word[w]);
  }
  return last;
}
