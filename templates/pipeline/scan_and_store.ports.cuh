// Compact emission where several arrays are read or written: some items have a result, and the results lie one behind
// the other. Each warp gathers its own in shared memory and writes them as one piece of each array.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "operator/combine.count.cuh"
#include "pipeline/store.bulk.cuh"
#include "pipeline/fold_share.ports.cuh"
#include "pipeline/gatherings.ports.cuh"
#include "pipeline/results.ports.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"

// Gathers the results of this thread's items [begin, end). `carry` is the fold of the items before them, if has_carry.
// The count of `carry` is always set: the number of results of the warp's lower lanes. Returns the carry of the next
// thread.
template <bool whole>
__device__ __forceinline__ u32 gather_results(const Gatherings& gatherings, const PlacedItems& items, int begin,
                                              int end, const Scalars& scalars, bool has_carry, Local carry) {
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item = item_at(items, i, begin);
    const Local local = lift(item, scalars);
    gather_result(gatherings, has_result(local), u32(slots_of(carry)), result_of(item, carry));
    carry = whole || has_carry ? Local(combine(carry, local)) : local;
    has_carry = true;
  }
  return u32(slots_of(carry));
}

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, Parts& parts, ResultStorage& storage,
                                                    const Scalars& scalars, Local exclusive, Accumulator warp_carry,
                                                    const Kept&) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places;
  if (warp_first >= extent.end) return;
  const bool warp_has_carry = tile > 0 || warp_first > 0, has_carry = warp_has_carry || lane > 0;
  const u64 first_slot = warp_has_carry ? slots_of(warp_carry) : 0;
  const Gatherings gatherings = gatherings_at(span, first_slot, parts, storage);
  const Places places = parts + thread_index() * thread_items;
  PlacedItems items;
  Local carry = lane == 0 ? within_tile(warp_carry) : exclusive;
  u32 slots = 0;
  int last = warp_size - 1;
  if (tile > 0 && extent.end == tile_places) {
    if (lane > 0) carry = combine(within_tile(warp_carry), exclusive);
    load_items(span, tile, places, items);
    warp_barrier();  // all lanes have read what results take the place of
    slots = gather_results<true>(gatherings, items, 0, thread_items, scalars, true, carry);
  } else {
    const Share share = share_of(extent);
    const int active = share.threads - warp_index() * warp_size;
    if (lane < active && lane > 0 && warp_has_carry) carry = combine(within_tile(warp_carry), exclusive);
    if (lane < active) load_items(span, tile, places, items);
    warp_barrier();  // likewise
    if (lane < active) {
      slots = gather_results<false>(gatherings, items, share.begin, share.end, scalars, has_carry, carry);
    }
    if (active < warp_size) last = active - 1;
  }
  if (replaces_items(span)) order_store();
  begin_store();
  write_all_gathered(gatherings, results_with_room(span.capacity, first_slot, shuffle(slots, last)));
  end_store(true);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
