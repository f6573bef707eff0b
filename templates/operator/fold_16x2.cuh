// Minimum or maximum of integers of 8 or 16 bits, packed 16x2. An integer of 8 bits is in the upper byte of its 16
// bits; the lower byte decides between equal integers only, so it may be anything.
#pragma once

#include "parameters.cuh"
#include "operator/packed_16x2.minimum.cuh"

static_assert(sizeof(Input) <= 2, "packed 16x2 items have at most 16 bits");

// An item, twice.
__device__ __forceinline__ u32 broadcast_16x2(Input item) {
  return pick_bytes(u32(item), 0, sizeof(Input) == 1 ? 0x0404 : 0x1010);
}

// The fold of the two values of a word.
__device__ __forceinline__ Accumulator fold_16x2(u32 packed) {
  const u32 folded = combine_16x2(packed, packed >> 16);
  return Accumulator(Input(sizeof(Input) == 1 ? folded >> 8 : folded));
}

// Folds a word's items onto the two packed folds.
__device__ __forceinline__ void fold_word_16x2(u32& packed, u32 word) {
  if (sizeof(Input) == 1) packed = combine_16x2(packed, word << 8);  // bytes 0 and 2
  packed = combine_16x2(packed, word);
}

// Inclusive scan of a word's items. `running`, twice the same value: their exclusive prefix, afterwards their inclusive
// prefix.
__device__ __forceinline__ u32 scan_word_16x2(u32 word, u32& running) {
  u32 up_to_even = 0;
  u32 each = word;
  if (sizeof(Input) == 1) {
    const u32 even = word << 8;
    each = combine_16x2(even, word);  // bytes 0 and 1, bytes 2 and 3
    up_to_even = even;
  }
  each = combine_16x2(each, running);
  const u32 lower = pick_bytes(each, 0, 0x1010);
  const u32 folds = combine_16x2(each, lower);
  if (sizeof(Input) == 1) up_to_even = combine_16x2(up_to_even, pick_bytes(running, lower, 0x5410));
  running = pick_bytes(folds, 0, 0x3232);
  return sizeof(Input) == 1 ? pick_bytes(up_to_even, folds, 0x7351) : folds;
}
