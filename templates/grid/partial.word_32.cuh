// A block's partial result, as a word of 32 bits.
#pragma once

#include "parameters.cuh"

using Partial = u32;

union PartialBits {
  Partial word;
  Accumulator value;
};

__device__ __forceinline__ void store_partial(Partial* to, Accumulator value) {
  PartialBits bits;
  bits.word = 0;
  bits.value = value;
  store_relaxed(to, bits.word);
}

__device__ __forceinline__ Accumulator load_partial(const Partial* from) {
  PartialBits bits;
  bits.word = load_relaxed(from);
  return bits.value;
}
