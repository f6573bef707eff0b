// Folds the values of a group of threads of one warp.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

struct GroupStorage {};

// Folds one value per thread over the first `active` threads of each group, at least one, in their order. The first
// thread of the group gets the result. All threads of the block call.
__device__ __forceinline__ Accumulator group_reduce(Accumulator value, int active, GroupStorage&) {
  const int lane = thread_index() % threads_per_row;
#pragma unroll
  for (int distance = 1; distance < threads_per_row; distance *= 2) {
    const Accumulator above = shuffle_down(value, distance);
    if (lane + distance < active) value = combine(value, above);
  }
  return value;
}
