// Dense emission where several arrays are read, or neighbours: a result at the place of each item. Each warp gathers
// its own in shared memory and writes them as one piece.
#pragma once

#include "algorithm/hooks.ports.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "pipeline/fold_share.ports.cuh"
#include "pipeline/gatherings.ports.cuh"
#include "pipeline/results.ports.cuh"
#include "pipeline/item_scan.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "pipeline/store.bulk.cuh"

// Stores the results of a tile that was folded. `exclusive`: the thread's exclusive prefix within the warp.
// `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, Parts& parts, ResultStorage& storage,
                                                    const Scalars& scalars, Local exclusive, Accumulator warp_carry,
                                                    const Kept&) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places, left = extent.end - warp_first;
  if (left <= 0) return;
  // The places of the warp that hold items.
  const int begin = extent.begin > warp_first ? extent.begin - warp_first : 0;
  const int end = left < warp_places ? left : warp_places;
  const u64 first = u64(tile) * tile_places + u64(warp_first + begin) - span.begin;
  const bool warp_has_carry = tile > 0 || warp_first > 0;
  const Gatherings gatherings = gatherings_at(span, first, parts, storage);
  const Places places = parts + thread_index() * thread_items;
  PlacedItems items;
  Local carry = lane == 0 ? within_tile(warp_carry) : exclusive;
  if (tile > 0 && extent.end == tile_places) {
    if (lane > 0) carry = combine(within_tile(warp_carry), exclusive);
    load_items(span, tile, places, items);
    warp_barrier();  // all lanes have read what results take the place of
    ItemScan<true> scan{items, 0, scalars, true, carry.value};
    gather_all(gatherings, u32(lane * thread_items), [&](int i) { return scan.next(i); });
  } else {
    const Share share = share_of(extent);
    const int active = share.threads - warp_index() * warp_size;
    if (lane < active && lane > 0 && warp_has_carry) carry = combine(within_tile(warp_carry), exclusive);
    if (lane < active) load_items(span, tile, places, items);
    warp_barrier();  // likewise
    if (lane < active) {
      ItemScan<false> scan{items, share.begin, scalars, warp_has_carry || lane > 0, carry.value};
      const u32 slot = u32(lane * thread_items - begin);  // of place 0 of this thread, if that held an item
#pragma unroll
      for (int i = 0; i < thread_items; ++i) {
        if (i >= share.begin && i < share.end) gather_result(gatherings, true, slot + u32(i), scan.next(i));
      }
    }
  }
  begin_store();
  write_all_gathered(gatherings, u32(end - begin));
  end_store(true);
}

// Nothing is written once, at the end.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
