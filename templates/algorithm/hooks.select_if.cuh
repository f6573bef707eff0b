// Select: the items for which a predicate holds, in their order.
#pragma once

#include "algorithm/predicate.less.cuh"
#include "parameters.cuh"

// What an item contributes: 1 if it is kept.
__device__ __forceinline__ Local lift(Input item, const Scalars& scalars) {
  return holds(item, scalars.threshold) ? 1 : 0;
}

// Number of results of the items that were folded.
__device__ __forceinline__ u64 slots_of(Accumulator fold) {
  return fold;
}

// Whether an item that contributes so much has a result.
__device__ __forceinline__ bool has_result(Local item) {
  return item != 0;
}

__device__ __forceinline__ Output result_of(Input item) {
  return item;
}

// Writes the number of results, once. `total`: the fold of all items, if there are any.
__device__ __forceinline__ void finish(const Arguments& arguments, bool has_total, Accumulator total) {
  *arguments.count = has_total ? total : 0;
}
