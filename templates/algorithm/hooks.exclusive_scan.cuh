// Exclusive scan: the result at an item's place is the fold of the initial value and all items before it.
#pragma once

#include "parameters.cuh"

// Whether results depend on the inclusive fold.
constexpr bool emits_inclusive = false;

// The result at an item's place, from the item's exclusive prefix, which is undefined for a first item without an
// initial value, and its inclusive prefix.
__device__ __forceinline__ Accumulator emit(Accumulator exclusive, Accumulator) { return exclusive; }

// The results at the places of a word of packed items, `item_bits` bits each, the first item in the lowest bits.
// `folds`: the items' inclusive prefixes. `previous`: those of the previous word.
__device__ __forceinline__ u32 emit_word(u32 previous, u32 folds, int item_bits) {
  return shift_right(previous, folds, 32 - item_bits);
}
