// Items fold to the number of their results.
#pragma once

#include "parameters.cuh"
#include "pipeline/kept.mask.cuh"
#include "pipeline/stage.ports.cuh"

__device__ __forceinline__ Local fold_of(const Kept& kept, const PlacedItems&) { return count_of(kept); }

// The fold of the items before the warp's result `slot`. `positions`: of the warp's results. `carry`: the fold of the
// items before the warp's, if has_carry.
__device__ __forceinline__ Local fold_before(const Span&, u32, const Parts&, const u16*, u32 slot, bool, Accumulator) {
  return slot;
}
