// Folds a thread's first `valid` items, at least one, from left to right.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

template <bool whole>
__device__ __forceinline__ Local thread_reduce(const Local (&items)[items_per_thread], int valid) {
  Local total = items[0];
#pragma unroll
  for (int i = 1; i < items_per_thread; ++i) {
    if (whole || i < valid) total = combine(total, items[i]);
  }
  return total;
}
