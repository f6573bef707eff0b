// Inclusive scan of rows: the result at an item's place is the fold of the items of its row up to it.
#pragma once

#include "value/flagged.cuh"
#include "parameters.cuh"

// What an item contributes: its value, and whether a row begins with it.
__device__ __forceinline__ Flagged<Value> lift(const Item& item, const Scalars&) {
  return {Value(item.in), item.begins_row ? 1u : 0u};
}

// The result at an item's place, from its exclusive and its inclusive prefix.
__device__ __forceinline__ Result result_of(const Item&, const Flagged<Value>&, const Flagged<Value>& inclusive,
                                            const Scalars&) {
  return {Output(inclusive.value)};
}
