// Inclusive scan by key: the result at an item's place is the fold of the items of its segment up to it. Neighbouring
// items with equal keys are a segment.
#pragma once

#include "algorithm/segment.cuh"
#include "value/flagged.cuh"
#include "parameters.cuh"

// What an item contributes: its value, and whether a segment begins with it.
__device__ __forceinline__ Flagged<Value> lift(const Item& item, const Scalars&) {
  return {Value(item.values), begins_segment(item) ? 1u : 0u};
}

// The result at an item's place, from its exclusive and its inclusive prefix.
__device__ __forceinline__ Result result_of(const Item&, const Flagged<Value>&, const Flagged<Value>& inclusive,
                                            const Scalars&) {
  return {Output(inclusive.value)};
}
