// Value in the low half, tag in the high half, read and written as one word: no fence is needed.
#pragma once

#include "grid/status.cuh"
#include "parameters.cuh"

using Descriptor = u64;

__device__ __forceinline__ void publish(Descriptor* descriptor, u32 epoch, Status status, Exchanged value) {
  union {
    u32 word;
    Exchanged value;
  } bits;
  bits.word = 0;
  bits.value = value;
  store_relaxed(descriptor, u64(epoch * 4 + status) << 32 | bits.word);
}

__device__ __forceinline__ Reading read(const Descriptor* descriptor, u32 epoch) {
  const u64 word = load_relaxed(descriptor);
  const u32 tag = u32(word >> 32);
  union {
    u32 word;
    Exchanged value;
  } bits;
  bits.word = u32(word);
  return {tag / 4 == epoch ? Status(tag % 4) : invalid, bits.value};
}

__device__ __forceinline__ u32 tag_of(const Descriptor* descriptor) { return u32(load_relaxed(descriptor) >> 32); }

__device__ __forceinline__ void clear(Descriptor* descriptor) { store_relaxed(descriptor, 0ull); }
