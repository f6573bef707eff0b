// Block-wide fold by warps: each warp folds its values, then one warp folds the totals.
#pragma once

#include "parameters.cuh"
#include "warp/reduce.shuffle.cuh"

constexpr int warps_per_block = threads_per_block / warp_size;

struct BlockReduceStorage {
  Accumulator warp_total[warps_per_block];
};

// Folds one value a thread over the first `active` threads of the block, at least one, in thread order; the result is
// warp 0's. Each warp folds its values, then warp 0 the totals. A barrier must follow before the storage is used again.
template <bool whole>
__device__ __forceinline__ Accumulator block_reduce(Accumulator value, int active, BlockReduceStorage& storage) {
  const int lane = lane_index(), warp = warp_index();
  const int active_lanes = active - warp * warp_size;
  const int end = active_lanes < warp_size ? active_lanes : warp_size;
  const Accumulator warp_total = warp_reduce<whole>(value, 0, end);
  if (lane == 0) storage.warp_total[warp] = warp_total;
  block_barrier();

  if (warp > 0) return value;
  const int warps = whole ? warps_per_block : (active + warp_size - 1) / warp_size;
  return warp_reduce<false>(storage.warp_total[lane < warps ? lane : 0], 0, warps);
}
