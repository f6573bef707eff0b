// Adds up this thread's share of a whole aligned tile of bytes, four at a time.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/striped_words.cuh"

__device__ __forceinline__ Accumulator fold_striped(const Input* from) {
  StripedWords loaded[striped_vectors];
  load_striped_words(from, loaded);
  u32 sum = 0;
#pragma unroll
  for (int v = 0; v < striped_vectors; ++v) {
#pragma unroll
    for (int w = 0; w < striped_words; ++w) sum = add_bytes(loaded[v].word[w], sum, Input());
  }
  return Accumulator(sum);
}
