#pragma once

#include "parameters.cuh"

constexpr int partial_words = (sizeof(Accumulator) + 7) / 8;

// A block's partial result, as words of 64 bits. They may be seen one by one: nobody looks before the block has said
// that it is done.
struct Partial {
  u64 word[partial_words];
};

union PartialBits {
  Partial partial;
  Accumulator value;
};

__device__ __forceinline__ void store_partial(Partial* to, Accumulator value) {
  PartialBits bits;
  bits.partial.word[partial_words - 1] = 0;
  bits.value = value;
#pragma unroll
  for (int i = 0; i < partial_words; ++i) store_relaxed(&to->word[i], bits.partial.word[i]);
}

__device__ __forceinline__ Accumulator load_partial(const Partial* from) {
  PartialBits bits;
#pragma unroll
  for (int i = 0; i < partial_words; ++i) bits.partial.word[i] = load_relaxed(&from->word[i]);
  return bits.value;
}
