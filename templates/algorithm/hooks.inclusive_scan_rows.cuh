// Inclusive scan of rows: the result at an item's place is the fold of the items of its row up to it.
#pragma once

#include "operator/operator.plus.cuh"
#include "value/flagged.cuh"
#include "parameters.cuh"

// What an item contributes: its value, and whether a row begins with it.
__device__ __forceinline__ Flagged<Value> lift(const Item& item, const Scalars&) {
  return {Value(item.in), item.begins_row ? 1u : 0u};
}

// The fold of a row's items up to this one. `before`: that up to the item before.
__device__ __forceinline__ Value extend(const Item& item, const Value& before, const Scalars&) {
  const Value value = Value(item.in), both = combine(before, value);
  return item.begins_row ? value : both;
}

// The result at an item's place, from the fold of the row's items before it, and of those up to it.
__device__ __forceinline__ Result result_of(const Item&, const Value&, const Value& inclusive, const Scalars&) {
  return {Output(inclusive)};
}
