// Selections: each item contributes 1 if it is kept.
#pragma once

#include "parameters.cuh"

// Whether an item that contributes so much has a result.
__device__ __forceinline__ bool has_result(Local item) { return item != 0; }

// The result of an item that is kept: the item. The fold of the items before it is not used.
template <typename Fold>
__device__ __forceinline__ Result result_of(const Item& item, const Fold&) {
  return {item.in};
}

// Writes the number of results, once. `total`: the fold of all items, if there are any.
__device__ __forceinline__ void finish(const Arguments& arguments, bool has_total, Accumulator total) {
  *arguments.count = has_total ? total : 0;
}
