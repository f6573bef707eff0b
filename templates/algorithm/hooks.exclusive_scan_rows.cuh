// Exclusive scan of rows: the result at an item's place is the fold of the initial value and the items of its row
// before it.
#pragma once

#include "operator/operator.plus.cuh"
#include "value/flagged.cuh"
#include "parameters.cuh"

// What an item contributes: its value, behind the initial value if a row begins with it.
__device__ __forceinline__ Flagged<Value> lift(const Item& item, const Scalars& scalars) {
  const Value value = Value(item.in);
  return {item.begins_row ? Value(combine(scalars.initial, value)) : value, item.begins_row ? 1u : 0u};
}

// The fold of the initial value and a row's items up to this one. `before`: that up to the item before.
__device__ __forceinline__ Value extend(const Item& item, const Value& before, const Scalars& scalars) {
  return combine(item.begins_row ? scalars.initial : before, Value(item.in));
}

// The result at an item's place, from the fold of the row's items before it, and of those up to it.
__device__ __forceinline__ Result result_of(const Item& item, const Value& exclusive, const Value&,
                                            const Scalars& scalars) {
  return {Output(item.begins_row ? scalars.initial : exclusive)};
}
