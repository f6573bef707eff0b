#pragma once

#include "parameters.cuh"

constexpr int descriptor_words = (sizeof(Accumulator) + 7) / 8;

// A value of more than one word: each in the low half of a word of 128 bits, beside a tag of its own. These are read
// and written one by one, and a reading counts only if all tags agree: a tile publishes a status once a launch, so what
// has the same tag is of the same value, and no fence is needed. An aggregate that is half overwritten by a prefix
// reads as nothing, and the reader comes back.
struct Descriptor {
  u128 word[descriptor_words];
};

// What a tile has published in this launch.
enum Status : u32 { nothing = 0, aggregate = 1, inclusive_prefix = 2 };

struct Reading {
  Status status;
  Accumulator value;
};

union DescriptorBits {
  u64 word[descriptor_words];
  Accumulator value;
};

__device__ __forceinline__ void publish(Descriptor* descriptor, u32 epoch, Status status, Accumulator value) {
  DescriptorBits bits;
  bits.word[descriptor_words - 1] = 0;
  bits.value = value;
#pragma unroll
  for (int i = 0; i < descriptor_words; ++i) {
    store_relaxed(&descriptor->word[i], u128{bits.word[i], epoch * 4 + status});
  }
}

__device__ __forceinline__ Reading read(const Descriptor* descriptor, u32 epoch) {
  const u128 first = load_relaxed(&descriptor->word[0]);
  const u32 tag = u32(first.high);
  bool whole = tag / 4 == epoch;
  DescriptorBits bits;
  bits.word[0] = first.low;
#pragma unroll
  for (int i = 1; i < descriptor_words; ++i) {
    const u128 word = load_relaxed(&descriptor->word[i]);
    whole = whole && u32(word.high) == tag;
    bits.word[i] = word.low;
  }
  return {whole ? Status(tag % 4) : nothing, bits.value};
}

__device__ __forceinline__ u32 tag_of(const Descriptor* descriptor) {
  return u32(load_relaxed(&descriptor->word[0]).high);
}

__device__ __forceinline__ void clear(Descriptor* descriptor) {
#pragma unroll
  for (int i = 0; i < descriptor_words; ++i) store_relaxed(&descriptor->word[i], u128{0, 0});
}
