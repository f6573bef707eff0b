// A value of several words: each is in the low half of a word of 128 bits, with a tag in the high half. One load or
// store moves both, so no fence is needed. A value is valid only if all of its tags agree: a tile publishes a status
// once per launch, so words with the same tag are of the same value. An aggregate that is half overwritten by a prefix
// is invalid, and the reader reads again.
#pragma once

#include "grid/exchange_words.cuh"
#include "grid/status.cuh"
#include "parameters.cuh"

struct Descriptor {
  u128 word[exchange_words];
};

__device__ __forceinline__ void publish(Descriptor* descriptor, u32 epoch, Status status, Exchanged value) {
  ExchangeWords bits;
  bits.word[exchange_words - 1] = 0;
  bits.value = value;
#pragma unroll
  for (int i = 0; i < exchange_words; ++i) {
    store_relaxed(&descriptor->word[i], u128{bits.word[i], epoch * 4 + status});
  }
}

__device__ __forceinline__ Reading read(const Descriptor* descriptor, u32 epoch) {
  const u128 first = load_relaxed(&descriptor->word[0]);
  const u32 tag = u32(first.high);
  bool whole = tag / 4 == epoch;
  ExchangeWords bits;
  bits.word[0] = first.low;
#pragma unroll
  for (int i = 1; i < exchange_words; ++i) {
    const u128 word = load_relaxed(&descriptor->word[i]);
    whole = whole && u32(word.high) == tag;
    bits.word[i] = word.low;
  }
  return {whole ? Status(tag % 4) : invalid, bits.value};
}

__device__ __forceinline__ u32 tag_of(const Descriptor* descriptor) {
  return u32(load_relaxed(&descriptor->word[0]).high);
}

__device__ __forceinline__ void clear(Descriptor* descriptor) {
#pragma unroll
  for (int i = 0; i < exchange_words; ++i) store_relaxed(&descriptor->word[i], u128{0, 0});
}
