// The value is in the low half of a word of 128 bits, and a tag in the high half. One load or store moves both, so no
// fence is needed.
#pragma once

#include "grid/status.cuh"
#include "parameters.cuh"

using Descriptor = u128;

union DescriptorValue {
  u64 word;
  Exchanged value;
};

__device__ __forceinline__ void publish(Descriptor* descriptor, u32 epoch, Status status, Exchanged value) {
  DescriptorValue bits;
  bits.word = 0;
  bits.value = value;
  store_relaxed(descriptor, u128{bits.word, epoch * 4 + status});
}

__device__ __forceinline__ Reading read(const Descriptor* descriptor, u32 epoch) {
  const u128 word = load_relaxed(descriptor);
  const u32 tag = u32(word.high);
  DescriptorValue bits;
  bits.word = word.low;
  return {tag / 4 == epoch ? Status(tag % 4) : invalid, bits.value};
}

__device__ __forceinline__ u32 tag_of(const Descriptor* descriptor) { return u32(load_relaxed(descriptor).high); }

__device__ __forceinline__ void clear(Descriptor* descriptor) { store_relaxed(descriptor, u128{0, 0}); }
