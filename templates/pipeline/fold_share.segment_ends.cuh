// The fold of a thread's items where segments have one result each: totals are left on the way. In a tile that is not
// whole, and in the last one, they are left when they are to be completed.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/kept.segment_ends.cuh"
#include "pipeline/segment_totals.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"

// What this thread's items [begin, end) of thread_items, at least one, fold to.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span& span, u32 tile, const Places& places, int begin, int end,
                                            const Scalars&, Kept& kept) {
  if (whole && tile + 1 < span.tiles) return leave_totals<true>(span, tile, places, begin, end, kept);
  PlacedItems items;
  load_items(span, tile, places, items);
  Value value;
  bool has_value = false;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item = item_at(items, i, begin);
    const Value own = Value(item.in);
    if (has_value) {
      const Value both = combine(value, own);
      value = item.begins_row ? own : both;
    } else {
      value = own;
    }
    has_value = true;
  }
  return {value, begins_any(items.begins, whole ? 0 : begin, whole ? thread_items : end) ? 1u : 0u};
}
