// A block's partial result, as words of 64 bits. They may be seen one by one: nobody loads them before the block has
// said that it is done.
#pragma once

#include "grid/exchange_words.cuh"
#include "parameters.cuh"

struct Partial {
  u64 word[exchange_words];
};

__device__ __forceinline__ void store_partial(Partial* to, Accumulator value) {
  ExchangeWords bits;
  bits.word[exchange_words - 1] = 0;
  bits.value = value;
#pragma unroll
  for (int i = 0; i < exchange_words; ++i) store_relaxed(&to->word[i], bits.word[i]);
}

__device__ __forceinline__ Accumulator load_partial(const Partial* from) {
  ExchangeWords bits;
#pragma unroll
  for (int i = 0; i + 1 < exchange_words; ++i) bits.word[i] = load_relaxed(&from->word[i]);
  bits.word[exchange_words - 1] = load_relaxed(&from->word[exchange_words - 1]);
  return bits.value;
}
