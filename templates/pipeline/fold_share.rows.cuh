// The fold of a thread's items where the index tells with which of them rows begin.
#pragma once

#include "algorithm/hooks.inclusive_scan_rows.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"

// What this thread's items [begin, end) of thread_items, at least one, fold to.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span& span, u32 tile, const Places& places, int begin, int end,
                                            const Scalars& scalars, Kept&) {
  PlacedItems items;
  load_items(span, tile, places, items);
  Value value;
  bool has_value = false;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Item item = item_at(items, i, begin);
    value = has_value ? extend(item, value, scalars) : lift(item, scalars).value;
    has_value = true;
  }
  return {value, begins_any(items.begins, whole ? 0 : begin, whole ? thread_items : end) ? 1u : 0u};
}
