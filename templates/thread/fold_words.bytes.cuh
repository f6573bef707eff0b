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
