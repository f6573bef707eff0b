// Adds the bytes of words to a sum, if there is one, four at a time.
#pragma once

#include "operator/combine.value.cuh"
#include "parameters.cuh"

template <bool has_total>
__device__ __forceinline__ Accumulator fold_words(Accumulator total, const u32* word, int words) {
  u32 sum = has_total ? u32(total) : 0;
#pragma unroll 4
  for (int w = 0; w < words; ++w) sum = add_bytes(word[w], sum, Input());
  return Accumulator(sum);
}

// Adds up the first `bytes` bytes of some words, at least one.
template <int words>
__device__ __forceinline__ Accumulator fold_few_words(const u32 (&word)[words], int bytes) {
  u32 sum = 0;
#pragma unroll
  for (int w = 0; w < words; ++w) {
    const int left = bytes - 4 * w;
    const u32 there = left >= 4 ? ~0u : left > 0 ? (1u << 8 * left) - 1 : 0;
    sum = add_bytes(word[w] & there, sum, Input());
  }
  return Accumulator(sum);
}
