// Exclusive scan by key: the result at an item's place is the fold of the initial value and the items of its segment
// before it. Neighbouring items with equal keys are a segment.
#pragma once

#include "algorithm/segment.cuh"
#include "operator/operator.plus.cuh"
#include "value/flagged.cuh"
#include "parameters.cuh"

// What an item contributes: its value, behind the initial value if a segment begins with it.
__device__ __forceinline__ Flagged<Value> lift(const Item& item, const Scalars& scalars) {
  const bool begins = begins_segment(item);
  const Value value = Value(item.values);
  return {begins ? Value(combine(scalars.initial, value)) : value, begins ? 1u : 0u};
}

// The result at an item's place, from its exclusive and its inclusive prefix.
__device__ __forceinline__ Result result_of(const Item& item, const Flagged<Value>& exclusive, const Flagged<Value>&,
                                            const Scalars& scalars) {
  return {Output(begins_segment(item) ? scalars.initial : exclusive.value)};
}
