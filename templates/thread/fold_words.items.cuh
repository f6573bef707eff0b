// Folds the narrow items of words behind a value, from left to right.
#pragma once

#include "algorithm/lift.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"

__device__ __forceinline__ Accumulator fold_words(Accumulator total, const u32* word, int words) {
  constexpr int word_items = sizeof(Input) < 4 ? 4 / int(sizeof(Input)) : 1;
#pragma unroll 4
  for (int w = 0; w < words; ++w) {
    union {
      u32 word;
      Input item[word_items];
    } one;
    one.word = word[w];
#pragma unroll
    for (int i = 0; i < word_items; ++i) total = combine(total, lift(one.item[i]));
  }
  return total;
}
