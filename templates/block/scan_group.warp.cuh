// Scans the values of a group of threads of one warp.
#pragma once

#include "operator/operator.plus.cuh"
#include "parameters.cuh"

struct GroupScanStorage {};

// Scans one value per thread over the first `active` threads of each group, at least one, in their order. `exclusive`
// becomes the fold of the values before the thread's own (untouched in the first thread). Returns the fold of all to
// all threads of the group. All threads of the block call.
__device__ __forceinline__ Value group_scan(Value value, int active, Value& exclusive, GroupScanStorage&) {
  const int lane = thread_index() % threads_per_row;
#pragma unroll
  for (int distance = 1; distance < threads_per_row; distance *= 2) {
    const Value below = shuffle_up(value, distance);
    if (lane >= distance && lane < active) value = combine(below, value);
  }
  const Value before = shuffle_up(value, 1);
  if (lane > 0 && lane < active) exclusive = before;
  return shuffle(value, lane_index() - lane + active - 1);
}
