// The fold of a thread's items where segments have one result each. What comes before an item with which a segment
// begins is the total of the segment that ends there. It takes the place of the item.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/kept.segment_ends.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"
#include "thread/row_begins.cuh"

// What this thread's items [begin, end) of thread_items, at least one, fold to. The first total that is left is of the
// thread's own items alone. Behind the last item of all, segments end, too.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span& span, u32 tile, const Places& places, int begin, int end,
                                            const Scalars&, Kept& kept) {
  if (whole) {  // asked for long before they are needed
    const u64* const begins = places.parts->marks.begin + warp_index();
    const u64 i = begins[0] + u64(lane_index());
    kept.offset = i < begins[1] ? Key(offset_at(span.range, i)) : 0;
    kept.before = i < begins[1] && i > 0 ? Key(offset_at(span.range, i - 1)) : 0;
  }
  PlacedItems items;
  load_items(span, tile, places, items);
  Value* const totals = totals_of_tile(span, places) + places.first;
  Value value;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item = item_at(items, i, begin);
    const Value own = Value(item.in);
    if (i == (whole ? 0 : begin)) {
      value = own;
      continue;
    }
    const Value both = combine(value, own);
    if (item.begins_row) totals[i] = value;
    value = item.begins_row ? own : both;
  }
  kept.first_end = first_begin(items.begins, whole ? 0 : begin, whole ? thread_items : end);
  const Local folded{value, kept.first_end >= 0 ? 1u : 0u};
  if (tile + 1 == span.tiles && places.first + end == extent_of(span, tile).end) {
    totals[end] = value;
    if (kept.first_end < 0) kept.first_end = end;
  }
  return folded;
}
