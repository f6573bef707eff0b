// Folds the values of a group of threads of one warp.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "warp/lane_groups.cuh"

struct GroupStorage {};

// Folds one value per thread over the first `active` threads of each group, at least one, in their order. The first
// thread of the group gets the result. All threads of the block call.
__device__ __forceinline__ Accumulator group_reduce(Accumulator value, int active, GroupStorage&) {
  return fold_lanes<threads_per_row>(value, active);
}
