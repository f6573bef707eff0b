// Inclusive scan: the result at an item's place is the fold of all items up to it.
#pragma once

#include "parameters.cuh"

// Nothing stands before the first item.
constexpr bool has_initial = false;

// The result at an item's place, from the fold of all that stands before the item, if anything does, and the fold that
// the item ends.
__device__ __forceinline__ Output emit(const Accumulator&, const Accumulator& inclusive) {
  return Output(inclusive);
}

// The same of a word of items of `item_bits` bits each: the folds that the items of the word before end, and that the
// word's own do.
__device__ __forceinline__ u32 emit_word(u32, u32 folds, int) {
  return folds;
}
