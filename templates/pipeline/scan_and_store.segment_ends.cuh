// Segments have one result each. A warp writes those of the segments that end within its places, in the order of their
// offsets. Long runs of empty segments, which all end at one item, are shared out: each tile also writes the results of
// an equal share of all segments, if these are empty and end at the same item.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/kept.segment_ends.cuh"
#include "pipeline/fold_share.segment_ends.cuh"
#include "pipeline/results.ports.cuh"
#include "pipeline/segment_totals.cuh"
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
  const u64 begin = u64(tile) * span.share, end = begin + span.share;
  for (u64 i = begin + u64(thread_index()); i < end; i += worker_warps * warp_size) {
    finish_end(span, i, false, scalars.initial, scalars);
  }
}

// Writes the results of the segments that end at the offsets [begin, end), of which some are empty. `count`: totals.
__device__ __forceinline__ void store_with_empty(const Span& span, u64 begin, u64 end, const Value* totals, u32 count,
                                                 const Scalars& scalars) {
  constexpr int each = 4;  // so many loads of a lane are under way at a time
  const u64 size = span.share, behind = span.first + (span.end - span.begin);
  const u32 lanes_below = (1u << lane_index()) - 1;
  u32 done = 0;
  for (u64 at = begin; at < end;) {
    const u64 past = at % size;
    if (past == 0 && is_shared_out(span.range, at, size)) {
      const u64 other = behind_equal(span.range, at - 1, at + size);
      at += (other - at) / size * size;
      continue;
    }
    const u64 stop = end - at < size - past ? end : at + (size - past);
    for (; at < stop; at += each * warp_size) {
      u64 offset[each], before[each];
#pragma unroll
      for (int k = 0; k < each; ++k) {
        const u64 i = at + u64(k * warp_size + lane_index());
        offset[k] = i < stop ? offset_at(span.range, i) : 0;
        before[k] = i < stop && i > begin ? offset_at(span.range, i - 1) : 0;
      }
#pragma unroll
      for (int k = 0; k < each; ++k) {
        const u64 i = at + u64(k * warp_size + lane_index());
        // Offsets that are wrong are taken for the nearest that are possible.
        const bool differs = i < stop && (i == begin || (before[k] < behind && offset[k] != before[k]));
        const u32 all = warp_ballot(differs), slot = done + count_bits(all & lanes_below);
        const bool has_items = differs && slot < count;
        done += count_bits(all);
        Value total;
        if (has_items) total = totals[slot];
        if (i < stop) finish_end(span, i, has_items, total, scalars);
      }
    }
    at = stop;
  }
}

// Completes the first total that each lane left by what comes before its items, and writes the warp's results.
// `exclusive`: the thread's exclusive prefix within the warp. `warp_carry`: the exclusive prefix of the warp.
__device__ __forceinline__ void scan_and_store_tile(const Span& span, u32 tile, Parts& parts, ResultStorage&,
                                                    const Scalars& scalars, Local exclusive, Accumulator warp_carry,
                                                    const Kept& folded) {
  const Extent extent = extent_of(span, tile);
  const int lane = lane_index(), warp_first = warp_index() * warp_places, left = extent.end - warp_first;
  if (parts.marks.is_shared_out) store_shared_out(span, tile, scalars);
  if (left <= 0) return;
  const bool is_last = tile + 1 == span.tiles, warp_has_carry = tile > 0 || warp_first > 0;
  const Places places = parts + thread_index() * thread_items;
  const Share share = share_of(extent);
  const int active = share.threads - warp_index() * warp_size < warp_size ? share.threads - warp_index() * warp_size
                                                                          : warp_size;
  Kept kept = folded;
  Local own;
  if (is_last || extent.begin > 0) own = leave_totals<false>(span, tile, places, share.begin, share.end, kept);
  Value carry = lane == 0 ? warp_carry.value : exclusive.value;
  const bool has_carry = lane < active && (warp_has_carry || lane > 0);
  if (has_carry && lane > 0 && warp_has_carry) carry = combine(within_tile(warp_carry), exclusive).value;
  Value* const totals = totals_of_warp(span, places);
  if (has_carry && kept.ends > 0) {
    totals[kept.slot] = kept.is_bare != 0 ? carry : combine(carry, totals[kept.slot]);
  }
  u32 count = shuffle(kept.slot + kept.ends, warp_size - 1);
  const u64 begin = parts.marks.begin[warp_index()];
  u64 end = parts.marks.begin[warp_index() + 1];
  if (is_last && left <= warp_places) {  // some segments end behind the last item
    if (lane == active - 1) totals[count] = own.begins != 0 || !has_carry ? own.value : combine(carry, own.value);
    end = span.range.end;
    ++count;
  }
  warp_barrier();
  if (end - begin == count) {
    for (u32 k = u32(lane); k < count; k += warp_size) finish_end(span, begin + k, true, totals[k], scalars);
  } else {
    store_with_empty(span, begin, end, totals, count, scalars);
  }
  prepare_refill();
  warp_barrier();  // before the stage is given back
}

// Nothing is written once, at the end.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
