// Items fold to the number of their results. Marked are those that have one.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "pipeline/kept.mask.cuh"
#include "pipeline/stage.ports.cuh"

__device__ __forceinline__ bool is_marked(const Item&, Local local) { return has_result(local); }

__device__ __forceinline__ Local fold_of(const Kept& kept, u32, const PlacedItems&) { return count_of(kept); }

// How many marked items the warp's lower lanes have.
__device__ __forceinline__ u32 marked_before(const Kept&, Local exclusive) { return lane_index() == 0 ? 0 : exclusive; }

// The fold of the items before the warp's marked item `k`. `positions`: of the warp's marked items. `carry`: the fold
// of the items before the warp's, if has_carry.
__device__ __forceinline__ Local fold_before(const Span&, u32, const Parts&, const u16*, u32 k, bool, Accumulator) {
  return k;
}
