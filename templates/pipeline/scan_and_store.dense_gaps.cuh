// Scans of segments with gaps between them: a result at the place of each item of a segment. A warp without gaps
// gathers its results in shared memory and writes them as one piece; otherwise each lane writes its own one by one.
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
#include "thread/segment_gaps.cuh"

// Which of the thread's items [begin, end) lie in a gap: bit i is of item begin + i.
__device__ __forceinline__ GapBits<thread_items> gaps_of(const Span& span, u32 tile, const Parts& parts, int begin,
                                                         int end) {
  const int first = thread_index() * thread_items + begin;
  const u64* const offsets = parts.marks.begin + warp_index();
  return find_gaps<thread_items>({span.range.offsets, offsets[0], offsets[1]}, index_of_place(span, tile, first),
                                 end - begin);
}

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
  const Share share = share_of(extent);
  const bool active = lane < share.threads - warp_index() * warp_size;
  Local carry = lane == 0 ? within_tile(warp_carry) : exclusive;
  if (active && lane > 0 && warp_has_carry) carry = combine(within_tile(warp_carry), exclusive);
  PlacedItems items;
  GapBits<thread_items> gaps = {};
  if (active) {
    load_items(span, tile, parts + thread_index() * thread_items, items);
    gaps = gaps_of(span, tile, parts, share.begin, share.end);
  }
  u32 any = 0;
#pragma unroll
  for (int w = 0; w < (thread_items + 31) / 32; ++w) any |= gaps.words[w];
  const bool has_gaps_here = warp_ballot(any != 0) != 0;
  warp_barrier();  // all lanes have read what results take the place of
  if (active) {
    ItemScan<false> scan{items, share.begin, scalars, warp_has_carry || lane > 0, carry.value};
    const u32 slot = u32(lane * thread_items - begin);  // of place 0 of this thread, if that held an item
#pragma unroll
    for (int i = 0; i < thread_items; ++i) {
      if (i < share.begin || i >= share.end) continue;
      const Result result = scan.next(i);
      if (!has_gaps_here) gather_result(gatherings, true, slot + u32(i), result);
      if (has_gaps_here && !is_in_gap(gaps, i - share.begin)) span.out[first + u64(slot + u32(i))] = result.out;
    }
  }
  begin_store();
  if (!has_gaps_here) write_all_gathered(gatherings, u32(end - begin));
  end_store(true);
}

// Nothing is written once, at the end.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
