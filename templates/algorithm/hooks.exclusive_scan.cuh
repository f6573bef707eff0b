// Exclusive scan: the result at an item's place is the fold of the initial value and all items before it.
#pragma once

#include "parameters.cuh"

// Whether results depend on the inclusive fold.
constexpr bool emits_inclusive = false;

// The result at an item's place. `exclusive`: the fold of everything before the item, undefined if nothing stands
// before it. `inclusive`: the same with the item.
__device__ __forceinline__ Accumulator emit(Accumulator exclusive, Accumulator) {
  return exclusive;
}

// The results at the places of a word of packed items, `item_bits` bits each, the first item in the lowest bits.
// `folds`: each item's inclusive fold. `before`: those of the word before.
__device__ __forceinline__ u32 emit_word(u32 before, u32 folds, int item_bits) {
  return shift_right(before, folds, 32 - item_bits);
}
