// Tag and values in words of their own: a value is written before its tag is released, and read after the tag was
// acquired. An aggregate and a prefix never share a word, because a reader may hold the aggregate's tag while the
// prefix is being written (Merrill and Garland, 2016, section 4.3).
#pragma once

#include "grid/exchange_words.cuh"
#include "grid/status.cuh"
#include "parameters.cuh"

struct Descriptor {
  u32 tag;
  u32 unused;
  u64 value[2][exchange_words];
};

__device__ __forceinline__ void publish(Descriptor* descriptor, u32 epoch, Status status, Exchanged value) {
  ExchangeWords bits;
  bits.word[exchange_words - 1] = 0;
  bits.value = value;
#pragma unroll
  for (int i = 0; i < exchange_words; ++i) store_relaxed(&descriptor->value[status - 1][i], bits.word[i]);
  store_release(&descriptor->tag, epoch * 4 + status);
}

__device__ __forceinline__ Reading read(const Descriptor* descriptor, u32 epoch) {
  const u32 tag = load_acquire(&descriptor->tag);
  const Status status = tag / 4 == epoch ? Status(tag % 4) : invalid;
  ExchangeWords bits;
#pragma unroll
  for (int i = 0; i < exchange_words; ++i) {
    bits.word[i] = status != invalid ? load_relaxed(&descriptor->value[status - 1][i]) : 0;
  }
  return {status, bits.value};
}

__device__ __forceinline__ u32 tag_of(const Descriptor* descriptor) { return load_relaxed(&descriptor->tag); }

__device__ __forceinline__ void clear(Descriptor* descriptor) { store_relaxed(&descriptor->tag, 0); }
