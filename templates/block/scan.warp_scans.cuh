// Block-wide scan by warps: each warp scans its values, and the totals of the warps connect them.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "warp/scan.kogge_stone.cuh"

constexpr int warps_per_block = threads_per_block / warp_size;

struct BlockScanStorage {
  Local warp_total[warps_per_block];
};

// Exclusive scan of one value per thread over the first `active` threads of the block. `exclusive` becomes the thread's
// exclusive prefix (untouched in thread 0, which has none). Returns the total to all threads.
// Each warp scans its values; then every thread folds the totals of the warps.
template <bool whole>
__device__ __forceinline__ Local block_scan(Local value, int active, Local& exclusive, BlockScanStorage& storage) {
  const int lane = lane_index(), warp = warp_index();
  const int active_lanes = active - warp * warp_size;
  const Local inclusive = warp_scan<whole>(value, active_lanes);
  const int last = whole || active_lanes > warp_size ? warp_size - 1 : active_lanes - 1;
  if (lane == last) storage.warp_total[warp] = inclusive;
  block_barrier();

  Local total = storage.warp_total[0];
  Local warp_exclusive = total;
#pragma unroll
  for (int other = 1; other < warps_per_block; ++other) {
    if (whole || other * warp_size < active) {
      if (other == warp) warp_exclusive = total;
      total = combine(total, storage.warp_total[other]);
    }
  }
  const Local lane_exclusive = shuffle_up(inclusive, 1);
  if (whole || lane < active_lanes) {
    if (warp == 0) {
      if (lane > 0) exclusive = lane_exclusive;
    } else {
      exclusive = lane == 0 ? warp_exclusive : combine(warp_exclusive, lane_exclusive);
    }
  }
  return total;
}
