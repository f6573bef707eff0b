// Inclusive scan by key: the result at an item's place is the fold of the items of its segment up to it. Neighbouring
// items with equal keys are a segment.
#pragma once

#include "algorithm/segment.cuh"
#include "operator/operator.plus.cuh"
#include "value/flagged.cuh"
#include "parameters.cuh"

// What an item contributes: its value, and whether a segment begins with it.
__device__ __forceinline__ Flagged<Value> lift(const Item& item, const Scalars&) {
  return {Value(item.values), begins_segment(item) ? 1u : 0u};
}

// The fold of a segment's items up to this one. `before`: that up to the item before.
__device__ __forceinline__ Value extend(const Item& item, const Value& before, const Scalars&) {
  const Value value = Value(item.values), both = combine(before, value);
  return begins_segment(item) ? value : both;
}

// The result at an item's place, from the fold of the segment's items before it, and of those up to it.
__device__ __forceinline__ Result result_of(const Item&, const Value&, const Value& inclusive, const Scalars&) {
  return {Output(inclusive)};
}
