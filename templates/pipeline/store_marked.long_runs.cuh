// A marked item has a result if the run before it is long enough.
#pragma once

#include "algorithm/hooks.nontrivial_runs.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "pipeline/mask_fold.long_runs.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "pipeline/store_result.ports.cuh"

// Stores the results of a warp's `count` marked items, by all its lanes. `carry`: the fold of the items before the
// warp's, if has_carry.
__device__ __forceinline__ void store_marked(const Span& span, u32 tile, const Parts& parts, const u16* positions,
                                             u32 count, u64 first_slot, bool has_carry,
                                             const Counted<u64, Value>& carry) {
  const u32 room = results_with_room(span.capacity, first_slot, count), lane = u32(lane_index());
  u32 slot = 0;  // of the warp's next result
  for (u32 first = 0; first < count; first += warp_size) {
    const u32 k = first + lane < count ? first + lane : count - 1;
    const Item item = item_in(span, tile, parts, warp_index() * warp_places + positions[k]);
    const Counted<u32, Value> fold = fold_before(span, tile, parts, positions, k, has_carry, carry);
    const bool has = first + lane < count && is_long(Value(item.index) - fold.value);
    const u32 all = warp_ballot(has), own = slot + count_bits(all & ((1u << lane) - 1));
    if (has && own < room) store_result(span, first_slot + own, result_of(item, fold));
    slot += count_bits(all);
  }
}
