// Scans the values of a group of threads that is the whole block: each warp scans its values, then every thread folds
// the totals of the warps.
#pragma once

#include "operator/operator.plus.cuh"
#include "parameters.cuh"

constexpr int group_warps = threads_per_block / warp_size;

struct GroupScanStorage {
  Value warp_total[group_warps];
};

// Scans one value per thread over the first `active` threads of the block, at least one, in their order. `exclusive`
// becomes the fold of the values before the thread's own (untouched in the first thread). Returns the fold of all to
// all threads.
__device__ __forceinline__ Value group_scan(Value value, int active, Value& exclusive, GroupScanStorage& storage) {
  const int lane = lane_index(), warp = warp_index(), active_lanes = active - warp * warp_size;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Value below = shuffle_up(value, distance);
    if (lane >= distance && lane < active_lanes) value = combine(below, value);
  }
  const Value before = shuffle_up(value, 1);
  if (lane == (active_lanes < warp_size ? active_lanes : warp_size) - 1) storage.warp_total[warp] = value;
  block_barrier();
  Value total = storage.warp_total[0], lower = total;
#pragma unroll
  for (int other = 1; other < group_warps; ++other) {
    if (other * warp_size >= active) continue;
    if (other == warp) lower = total;
    total = combine(total, storage.warp_total[other]);
  }
  if (lane < active_lanes) {
    if (warp == 0) {
      if (lane > 0) exclusive = before;
    } else {
      exclusive = lane == 0 ? lower : combine(lower, before);
    }
  }
  block_barrier();  // until all have read what the next row's values take the place of
  return total;
}
