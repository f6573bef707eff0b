// Exclusive scan: the result at an item's place is the fold of the initial value and all items before it.
#pragma once

#include "parameters.cuh"

// The initial value stands before the first item.
constexpr bool has_initial = true;

// The result at an item's place, from the fold of all that stands before the item, if anything does, and the fold that
// the item ends.
__device__ __forceinline__ Output emit(const Accumulator& exclusive, const Accumulator&) {
  return Output(exclusive);
}

// The same of a word of items of `item_bits` bits each: the folds that the items of the word before end, and that the
// word's own do.
__device__ __forceinline__ u32 emit_word(u32 before, u32 folds, int item_bits) {
  return shift_right(before, folds, 32 - item_bits);
}
