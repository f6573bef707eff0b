// Segments have one result each. A warp writes those of the segments that end within its places, in the order of their
// offsets. Long runs of empty segments, which all end at one item, are shared out: each tile also writes the results of
// an equal share of all segments, if these are empty and end at the same item.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "grid/segment_lookback.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/kept.segment_ends.cuh"
#include "pipeline/fold_share.segment_ends.cuh"
#include "pipeline/results.ports.cuh"
#include "pipeline/share.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "pipeline/store.bulk.cuh"

// Writes the result of the segment that ends at offset i, if one does.
__device__ __forceinline__ void finish_end(const Span& span, u64 i, bool has_items, Value total,
                                           const Scalars& scalars) {
  if (i > 0 && ends_segment(i)) finish_segment(span.out + segment_of_end(i), has_items, total, scalars);
}

// Writes the results of a tile's share of all offsets.
__device__ __forceinline__ void store_shared_out(const Span& span, u32 tile, const Scalars& scalars) {
  const u64 begin = u64(tile) * span.own_offsets, end = begin + span.own_offsets;
  for (u64 i = begin + u64(thread_index()); i < end; i += worker_warps * warp_size) {
    finish_end(span, i, false, scalars.initial, scalars);
  }
}

// A tile with totals at its places, of which place 0 has the item with index `zero`.
struct TileTotals {
  const Value* totals;
  u64 zero;
  ShareOfTile share;  // in registers: other lanes write to shared memory meanwhile
};

// Writes the result of the segment that ends at offset i, `offset`, if one does; `before` is the offset before it. A
// segment that began in an earlier share is left open. One that ends elsewhere, because offsets are wrong, is taken for
// an empty one.
__device__ __forceinline__ void store_end(const Span& span, u64 i, Key offset, Key before, const TileTotals& tile,
                                          const Scalars& scalars) {
  const u32 place = u32(offset) - u32(tile.zero);
  const bool has_items = before != offset && place <= u32(tile_places);
  Value total;
  if (has_items) total = tile.totals[place];
  if (has_items && u64(before) < tile.share.first_item) {
    if (!ends_segment(i)) return;
    leave_open(span.workspace, tile.share.number, i, u64(offset) > tile.share.first_item, total);
  } else {
    finish_end(span, i, has_items, total, scalars);
  }
}

// Writes the results of the segments that end at the offsets [begin, end).
__device__ __forceinline__ void store_ends(const Span& span, u64 begin, u64 end, const TileTotals& tile,
                                           const Scalars& scalars) {
  constexpr int each = 4;  // so many loads of a lane are under way at a time
#pragma unroll 1
  for (u64 at = begin; at < end; at += each * warp_size) {
    Key offset[each], before[each];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const u64 i = at + u64(k * warp_size + lane_index());
      offset[k] = i < end ? Key(offset_at(span.range, i)) : 0;
      before[k] = i < end && i > 0 ? Key(offset_at(span.range, i - 1)) : 0;
    }
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const u64 i = at + u64(k * warp_size + lane_index());
      if (i < end) store_end(span, i, offset[k], before[k], tile, scalars);
    }
  }
}

// The same where there are many: most are those of empty segments. Runs of them that tiles share out are left out.
__device__ __forceinline__ void store_many_ends(const Span& span, u64 begin, u64 end, const TileTotals& tile,
                                                const Scalars& scalars) {
  for (u64 at = begin; at < end;) {
    const u64 past = at % span.own_offsets,
              stop = end - at < span.own_offsets - past ? end : at + (span.own_offsets - past);
    if (past == 0 && is_shared_out(span.range, at, span.own_offsets)) {
      const u64 other = behind_equal(span.range, at - 1, at + span.own_offsets);
      at += (other - at) / span.own_offsets * span.own_offsets;
    } else {
      store_ends(span, at, stop, tile, scalars);
      at = stop;
    }
  }
}

// Completes the first total that each lane left by what comes before its items, and writes the results of the segments
// that end within the warp's places. `exclusive`: the thread's exclusive prefix within the warp. `warp_carry`: the
// exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, Parts& parts, ResultStorage&,
                                                    const Scalars& scalars, Local exclusive, Accumulator warp_carry,
                                                    const Kept& kept) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places, left = extent.end - warp_first;
  if (parts.marks.is_shared_out) store_shared_out(span, tile, scalars);
  if (left <= 0) {
    warp_barrier();  // all lanes have read the stage before lane 0 gives it back
    return;
  }
  const bool warp_has_carry = !parts.share.begins || warp_first > 0;
  const Places places = parts + thread_index() * thread_items;
  Value* const totals = totals_of_tile(span, places);
  if (places.first < extent.end && kept.first_end >= 0 && (warp_has_carry || lane > 0)) {
    Value carry = lane == 0 ? warp_carry.value : exclusive.value;
    if (lane > 0 && warp_has_carry) carry = combine(within_tile(warp_carry), exclusive).value;
    Value& total = totals[places.first + kept.first_end];
    total = kept.first_end > 0 ? combine(carry, total) : carry;
  }
  warp_barrier();  // all totals of the warp are complete
  const TileTotals placed{totals, index_of_place(span, tile, 0), parts.share};
  u64 begin = parts.marks.begin[warp_index()];
  // Behind the last item of all, segments end, too.
  const bool is_last = tile + 1 == span.tiles && left <= warp_places;
  const u64 end = is_last ? span.range.end : parts.marks.begin[warp_index() + 1];
  if (begin < end && end - begin <= 2 * warp_places) {
    if (extent.begin == 0 && extent.end == tile_places && !is_last) {
      const u64 i = begin + u64(lane);
      if (i < end) store_end(span, i, kept.offset, kept.before, placed, scalars);
      begin += warp_size;
    }
    store_ends(span, begin, end, placed, scalars);
  } else {
    store_many_ends(span, begin, end, placed, scalars);
  }
  prepare_refill();
  warp_barrier();  // before the stage is given back
}

// Nothing is written once, at the end.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
