// Adjacent difference: the result at an item's place is the operator applied to the item and the one before it. The
// first item is its own result.
#pragma once

#include "operator/operator.minus.cuh"
#include "parameters.cuh"

// The result at an item's place.
__device__ __forceinline__ Result result_of(const Item& item) {
  const Value value = Value(item.in);
  return {Output(item.has_before ? combine(value, Value(item.in_before)) : value)};
}
