// Items fold to the number of their results, and the index of the last item that has one.
#pragma once

#include "value/counted.cuh"
#include "parameters.cuh"
#include "pipeline/kept.mask.cuh"
#include "pipeline/stage.ports.cuh"

__device__ __forceinline__ Counted<u32, Value> fold_of(const Kept& kept, const PlacedItems& items) {
  const int last = last_of(kept);
  return {count_of(kept), last < 0 ? Value(0) : Value(items.index + u64(last))};
}

// The fold of the items before the warp's result `slot`. `positions`: of the warp's results. `carry`: the fold of the
// items before the warp's, if has_carry.
__device__ __forceinline__ Counted<u32, Value> fold_before(const Span& span, u32 tile, const Parts& parts,
                                                           const u16* positions, u32 slot, bool has_carry,
                                                           const Counted<u64, Value>& carry) {
  if (slot == 0) return {0, has_carry ? carry.value : Value(0)};
  const int place = warp_index() * warp_places + positions[slot - 1];
  return {slot, Value(item_in(span, tile, parts, place).index)};
}
