// Items fold to the number of their results, and the index at which their last run begins. Marked are the items with
// which runs begin, of which some have no result.
#pragma once

#include "algorithm/hooks.nontrivial_runs.cuh"
#include "value/counted.cuh"
#include "parameters.cuh"
#include "pipeline/kept.mask.cuh"
#include "pipeline/run_begin.cuh"
#include "pipeline/stage.ports.cuh"

__device__ __forceinline__ bool is_marked(const Item& item, const Local&) { return begins_run(item); }

__device__ __forceinline__ Counted<u32, Value> fold_of(const Kept& kept, u32 results, const PlacedItems& items) {
  return {results, last_begin(kept, items)};
}

// How many marked items the warp's lower lanes have. By all lanes.
__device__ __forceinline__ u32 marked_before(const Kept& kept, const Local&) {
  const u32 own = count_of(kept);
  u32 inclusive = own;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const u32 below = shuffle_up(inclusive, distance);
    if (lane_index() >= distance) inclusive += below;
  }
  return inclusive - own;
}
