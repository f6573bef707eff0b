// The sum of a thread's bytes, modulo 256, from the last of them on with which a row begins: four at a time, by
// products with weights of which those of the bytes before are 0.
#pragma once

#include "algorithm/row_start.zero.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "pipeline/kept.none.cuh"
#include "pipeline/span.cuh"
#include "pipeline/stage.ports.cuh"

// The sum of a thread's bytes from place `begin` on.
__device__ __forceinline__ u32 sum_from(const PlacedItems& items, int begin) {
  u32 sum = 0;
#pragma unroll
  for (int w = 0; w < thread_items / 4; ++w) {
    const int before = 8 * begin - 32 * w;  // bits of the word
    sum = add_products(items.in.word[w], shift_left(0x01010101u, before > 0 ? u32(before) : 0), sum);
  }
  return sum;
}

// What this thread's items [begin, end) of thread_items, at least one, fold to.
template <bool whole>
__device__ __forceinline__ Local fold_share(const Span& span, u32 tile, const Places& places, int begin, int end,
                                            const Scalars& scalars, Kept&) {
  PlacedItems items;
  load_items(span, tile, places, items);
  const int last = whole ? last_begin(items.begins, 0, thread_items) : last_begin(items.begins, begin, end);
  u32 sum = sum_from(items, last >= 0 ? last : whole ? 0 : begin);
  if (!whole) sum -= sum_from(items, end);
  if (last >= 0) sum += row_start(scalars);
  return {Value(sum), last >= 0 ? 1u : 0u};
}
