// Reduce of segments: the result of each segment is the fold of the initial value and its items.
#pragma once

#include "operator/operator.plus.cuh"
#include "value/flagged.cuh"
#include "parameters.cuh"

// What an item contributes: its value, and whether a segment begins with it.
__device__ __forceinline__ Flagged<Value> lift(const Item& item, const Scalars&) {
  return {Value(item.in), item.begins_row ? 1u : 0u};
}

// Writes the result of a segment, from the fold of its items, if it has any.
__device__ __forceinline__ void finish_segment(Output* out, bool has_items, Value total, const Scalars& scalars) {
  *out = Output(has_items ? combine(scalars.initial, total) : scalars.initial);
}
