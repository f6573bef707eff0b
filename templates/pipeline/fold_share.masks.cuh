// The fold of a thread's items where it follows from which of them are marked. Their results are made at the end of
// the tile, from the positions of marked items.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "pipeline/kept.mask.cuh"
#include "pipeline/mask_fold.count.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"

// What this thread's items [begin, end) of thread_items, at least one, fold to.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span& span, u32 tile, const Places& places, int begin, int end,
                                            const Scalars& scalars, Kept& kept) {
  PlacedItems items;
  load_items(span, tile, places, items);
  u32 results = 0;
#pragma unroll
  for (int w = 0; w < mask_words; ++w) {
    u32 word = 0;
#pragma unroll
    for (int i = w * 32; i < thread_items && i < w * 32 + 32; ++i) {
      if (!whole && (i < begin || i >= end)) continue;
      const Item item = item_at(items, i, begin);
      const Local local = lift(item, scalars);
      if (is_marked(item, local)) word |= 1u << i % 32;
      if (has_result(local)) ++results;
    }
    kept.word[w] = word;
  }
  return fold_of(kept, results, items);
}
