// Folds and scans of one value per thread of the block: each warp combines its values, and then the totals of the warps
// are combined.
#pragma once

#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "warp/lane_groups.cuh"

constexpr int block_warps = threads_per_block / warp_size;

struct BlockValues {
  Value of_warp[block_warps];
};

// Folds the values of the first `active` threads, at least one, in their order. The first thread gets the result.
__device__ __forceinline__ Value fold_values(Value value, int active, BlockValues& storage) {
  const Value of_warp = fold_lanes<warp_size>(value, active - warp_index() * warp_size);
  if (lane_index() == 0) storage.of_warp[warp_index()] = of_warp;
  block_barrier();
  const int warps = (active + warp_size - 1) / warp_size;
  Value total = of_warp;
  if (warp_index() == 0) total = fold_lanes<warp_size>(storage.of_warp[lane_index() < warps ? lane_index() : 0], warps);
  block_barrier();  // until all have read what the next values take the place of
  return total;
}

// Scans the values of the first `active` threads, at least one, in their order. `exclusive` becomes the fold of the
// values before the thread's own (untouched in the first thread). Returns the fold of all to all threads.
__device__ __forceinline__ Value scan_values(Value value, int active, Value& exclusive, BlockValues& storage) {
  const int lane = lane_index(), warp = warp_index(), active_lanes = active - warp * warp_size;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Value below = shuffle_up(value, distance);
    if (lane >= distance && lane < active_lanes) value = combine(below, value);
  }
  const Value before = shuffle_up(value, 1);
  if (lane == (active_lanes < warp_size ? active_lanes : warp_size) - 1) storage.of_warp[warp] = value;
  block_barrier();
  Value total = storage.of_warp[0], lower = total;
#pragma unroll
  for (int other = 1; other < block_warps; ++other) {
    if (other * warp_size >= active) continue;
    if (other == warp) lower = total;
    total = combine(total, storage.of_warp[other]);
  }
  if (lane < active_lanes) {
    if (warp == 0) {
      if (lane > 0) exclusive = before;
    } else {
      exclusive = lane == 0 ? lower : combine(lower, before);
    }
  }
  block_barrier();  // until all have read what the next values take the place of
  return total;
}
