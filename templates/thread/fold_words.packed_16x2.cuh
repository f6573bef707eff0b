// Folds the narrow integers of words behind a value, if there is one, two at a time.
#pragma once

#include "operator/combine.value.cuh"
#include "operator/fold_16x2.cuh"
#include "parameters.cuh"

template <bool has_total>
__device__ __forceinline__ Accumulator fold_words(Accumulator total, const u32* word, int words) {
  u32 packed = broadcast_16x2(has_total ? Input(total) : identity);
#pragma unroll 4
  for (int w = 0; w < words; ++w) fold_word_16x2(packed, word[w]);
  return fold_16x2(packed);
}

// Folds the items of the first `bytes` bytes of some words, at least one.
template <int words>
__device__ __forceinline__ Accumulator fold_few_words(const u32 (&word)[words], int bytes) {
  const u32 nothing = pick_bytes(u32(identity), 0, sizeof(Input) == 1 ? 0x0000 : 0x1010);
  u32 packed = broadcast_16x2(identity);
#pragma unroll
  for (int w = 0; w < words; ++w) {
    const int left = bytes - 4 * w;
    const u32 there = left >= 4 ? ~0u : left > 0 ? (1u << 8 * left) - 1 : 0;
    fold_word_16x2(packed, (word[w] & there) | (nothing & ~there));
  }
  return fold_16x2(packed);
}
