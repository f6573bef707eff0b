// Compact emission by positions: each warp gathers the positions of its marked items, two bytes each, in shared memory.
// Then its lanes make one result after the other of the items in the stage, neighbouring lanes neighbouring results.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "operator/combine.count.cuh"
#include "pipeline/fold_share.masks.cuh"
#include "pipeline/gather_positions.cuh"
#include "pipeline/results.positions.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "pipeline/store.vectorized.cuh"
#include "pipeline/store_marked.each.cuh"

// How many lanes of this warp have items of the tile. At least one lane must have some.
__device__ __forceinline__ int active_lanes(const Extent& extent) {
  const int lanes = (extent.end - warp_index() * warp_places + thread_items - 1) / thread_items;
  return lanes < warp_size ? lanes : warp_size;
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, Parts& parts, ResultStorage& storage,
                                                    const Scalars&, Local exclusive, Accumulator warp_carry,
                                                    const Kept& kept) {
  const Extent extent = extent_of(span, tile);
  const int warp_first = warp_index() * warp_places;
  if (warp_first >= extent.end) return;
  const bool has_carry = tile > 0 || warp_first > 0;
  const u64 first_slot = has_carry ? slots_of(warp_carry) : 0;
  const u32 before = marked_before(kept, exclusive);
  const u32 count = shuffle(before + count_of(kept), active_lanes(extent) - 1);
  u16* const positions = storage.position[warp_index()];
  gather_positions(positions, before, count, kept);
  if (replaces_items(span)) order_store();
  begin_store();
  store_marked(span, tile, parts, positions, count, first_slot, has_carry, warp_carry);
  end_store(true);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
