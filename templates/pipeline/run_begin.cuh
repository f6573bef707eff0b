// Runs of which the beginning is known from the positions of the items with which runs begin.
#pragma once

#include "value/counted.cuh"
#include "parameters.cuh"
#include "pipeline/kept.mask.cuh"
#include "pipeline/stage.ports.cuh"

// The index of the thread's last marked item, with which its last run begins.
__device__ __forceinline__ Value last_begin(const Kept& kept, const PlacedItems& items) {
  const int last = last_of(kept);
  return last < 0 ? Value(0) : Value(items.index + u64(last));
}

// The fold of the items before the warp's marked item `k`, but for the count. `positions`: of the warp's marked items.
// `carry`: the fold of the items before the warp's, if has_carry. The first run begins at 0.
__device__ __forceinline__ Counted<u32, Value> fold_before(const Span& span, u32 tile, const Parts& parts,
                                                           const u16* positions, u32 k, bool has_carry,
                                                           const Counted<u64, Value>& carry) {
  if (k == 0) return {0, has_carry ? carry.value : Value(0)};
  const int place = warp_index() * warp_places + positions[k - 1];
  return {0, Value(item_in(span, tile, parts, place).index)};
}
