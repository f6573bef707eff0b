// Folds this thread's share of a whole aligned tile of narrow integers, two at a time.
#pragma once

#include "parameters.cuh"
#include "operator/fold_16x2.cuh"
#include "tile/striped_words.cuh"

__device__ __forceinline__ Accumulator fold_striped(const Input* from) {
  StripedWords loaded[striped_vectors];
  load_striped_words(from, loaded);
  u32 packed = broadcast_16x2(identity);
#pragma unroll
  for (int v = 0; v < striped_vectors; ++v) {
#pragma unroll
    for (int w = 0; w < striped_words; ++w) fold_word_16x2(packed, loaded[v].word[w]);
  }
  return fold_16x2(packed);
}
