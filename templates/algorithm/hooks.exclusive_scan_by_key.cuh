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

// The fold of the initial value and a segment's items up to this one. `before`: that up to the item before.
__device__ __forceinline__ Value extend(const Item& item, const Value& before, const Scalars& scalars) {
  return combine(begins_segment(item) ? scalars.initial : before, Value(item.values));
}

// The result at an item's place, from the fold of the segment's items before it, and of those up to it.
__device__ __forceinline__ Result result_of(const Item& item, const Value& exclusive, const Value&,
                                            const Scalars& scalars) {
  return {Output(begins_segment(item) ? scalars.initial : exclusive)};
}
