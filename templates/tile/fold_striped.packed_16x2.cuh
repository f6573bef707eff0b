#pragma once

#include "parameters.cuh"
#include "operator/fold_16x2.cuh"
#include "tile/striped_words.cuh"

// Folds this thread's share of a whole aligned tile of narrow integers, two at a time.
__device__ __forceinline__ Accumulator fold_strip(const Input* from) {
  StripWords loaded[strip_vectors];
  load_strip_words(from, loaded);
  u32 halves = in_both_halves(neutral);
#pragma unroll
  for (int v = 0; v < strip_vectors; ++v) {
#pragma unroll
    for (int w = 0; w < strip_words; ++w) fold_word(halves, loaded[v].word[w]);
  }
  return fold_halves(halves);
}
