#pragma once

#include "parameters.cuh"
#include "operator/packed_16x2.minimum.cuh"

// Least or greatest integers of 1 or 2 bytes, two at a time. A byte stands in the upper byte of its half: what is below
// it decides between equal bytes only, so it may be anything.
static_assert(sizeof(Input) <= 2, "two items in a word's halves");

// An item in both halves.
__device__ __forceinline__ u32 in_both_halves(Input item) {
  return pick_bytes(u32(item), 0, sizeof(Input) == 1 ? 0x0404 : 0x1010);
}

// The fold of what a word's halves hold.
__device__ __forceinline__ Accumulator fold_halves(u32 halves) {
  const u32 folded = combine_halves(halves, halves >> 16);
  return Accumulator(Input(sizeof(Input) == 1 ? folded >> 8 : folded));
}

// Folds a word's items onto what both halves hold.
__device__ __forceinline__ void fold_word(u32& halves, u32 word) {
  if (sizeof(Input) == 1) halves = combine_halves(halves, word << 8);  // bytes 0 and 2
  halves = combine_halves(halves, word);
}

// The folds up to each item of a word. `running`: the fold of all items before, then of all so far, in both halves.
__device__ __forceinline__ u32 folds_of_word(u32 word, u32& running) {
  u32 up_to_even = 0;
  u32 each = word;
  if (sizeof(Input) == 1) {
    const u32 even = word << 8;
    each = combine_halves(even, word);  // bytes 0 and 1, bytes 2 and 3
    up_to_even = even;
  }
  each = combine_halves(each, running);
  const u32 lower = pick_bytes(each, 0, 0x1010);
  const u32 folds = combine_halves(each, lower);
  if (sizeof(Input) == 1) up_to_even = combine_halves(up_to_even, pick_bytes(running, lower, 0x5410));
  running = pick_bytes(folds, 0, 0x3232);
  return sizeof(Input) == 1 ? pick_bytes(up_to_even, folds, 0x7351) : folds;
}
