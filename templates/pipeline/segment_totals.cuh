// Totals of the segments that end within the places of a warp. They take the place of its items, one behind the other.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/kept.segment_ends.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "thread/row_begins.cuh"

// Of a warp's lanes, the sum of those below.
__device__ __forceinline__ u32 sum_below(u32 value) {
  u32 sum = value;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const u32 below = shuffle_up(sum, distance);
    if (lane_index() >= distance) sum += below;
  }
  return sum - value;
}

// Folds the thread's items [begin, end) of thread_items, by all lanes of a warp, and leaves what comes before each item
// that a segment ends before: before the first of these, the thread's own items alone.
template <bool whole>
__device__ __forceinline__ Local leave_totals(const Span& span, u32 tile, const Places& places, int begin, int end,
                                              Kept& kept) {
  PlacedItems items;
  const bool has_items = whole || begin < end;
  if (has_items) load_items(span, tile, places, items);
  const int from = whole ? 0 : begin, to = whole ? thread_items : end;
  RowBegins<thread_items> begins;
  kept.ends = 0;
#pragma unroll
  for (int w = 0; w < (thread_items + 31) / 32; ++w) {
    begins.words[w] = has_items ? bits_within(items.begins.words[w], from - 32 * w, to - 32 * w) : 0;
    kept.ends += count_bits(begins.words[w]);
  }
  kept.slot = sum_below(kept.ends);
  kept.is_bare = begins_row(begins, from) ? 1 : 0;
  warp_barrier();  // all lanes have read what totals take the place of
  Value before;
  Value* total = totals_of_warp(span, places) + kept.slot;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item = item_at(items, i, begin);
    const Value value = Value(item.in);
    if (i == from) {
      before = value;
      total += kept.is_bare;
      continue;
    }
    const Value both = combine(before, value);
    if (item.begins_row) *total++ = before;
    before = item.begins_row ? value : both;
  }
  return {before, kept.ends > 0 ? 1u : 0u};
}
