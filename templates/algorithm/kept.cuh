// Results for some items: each item contributes 1 if it has a result.
#pragma once

#include "parameters.cuh"

// Whether an item that contributes so much, 0 or 1, has a result.
__device__ __forceinline__ bool has_result(Local item) { return item != 0; }

// Writes the number of results, once. `total`: the fold of all items, if there are any.
__device__ __forceinline__ void finish(const Arguments& arguments, bool has_total, Accumulator total) {
  *arguments.count = has_total ? total : 0;
}
