// Each marked item has a result.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "pipeline/mask_fold.count.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "pipeline/store_result.ports.cuh"

// Stores the results of a warp's `count` marked items, by all its lanes. `carry`: the fold of the items before the
// warp's, if has_carry.
__device__ __forceinline__ void store_marked(const Span& span, u32 tile, const Parts& parts, const u16* positions,
                                             u32 count, u64 first_slot, bool has_carry, const Accumulator& carry) {
  const u32 stored = results_with_room(span.capacity, first_slot, count);
  for (u32 k = u32(lane_index()); k < stored; k += warp_size) {
    const Item item = item_in(span, tile, parts, warp_index() * warp_places + positions[k]);
    store_result(span, first_slot + k, result_of(item, fold_before(span, tile, parts, positions, k, has_carry, carry)));
  }
}
