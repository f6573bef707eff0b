// The fold of a thread's items, which come from several arrays.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "operator/combine.count.cuh"
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
  Local value;
  bool has_value = false;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (whole || (i >= begin && i < end)) {
      const Local item = lift(item_at(items, i, begin), scalars);
      value = has_value ? Local(combine(value, item)) : item;
      has_value = true;
    }
  }
  return value;
}
