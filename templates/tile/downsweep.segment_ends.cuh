// Folds of segments: what the items of a segment fold to is left at the place behind its last item, where the next
// segment begins.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.segments.cuh"

struct StoreStorage {
  Value ended[tile_items];  // at the places with which segments begin
};

// Folds a thread's items, in their order, and leaves what comes before each item with which a segment begins: before
// the first of these, the thread's own items alone.
template <bool whole>
__device__ __forceinline__ Accumulator fold_and_leave(int valid, const TileItems& tile, StoreStorage& storage) {
  const int own = items_of_thread(valid), first = thread_index() * items_per_thread;
  Value before;
  u32 any = 0;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= own) continue;
    const Item item = item_of(tile, i);
    const Value value = Value(item.in);
    if (i == 0) {
      before = value;
      continue;
    }
    const Value both = combine(before, value);
    if (item.begins_row) storage.ended[first + i] = before;
    before = item.begins_row ? value : both;
  }
#pragma unroll
  for (int w = 0; w < (items_per_thread + 31) / 32; ++w) any |= tile.begins.items.words[w];
  return {before, any != 0 ? 1u : 0u};
}

// The first of a thread's items with which a segment begins; items_per_thread if there is none.
__device__ __forceinline__ int first_begin(const TileItems& tile) {
#pragma unroll
  for (int w = 0; w < (items_per_thread + 31) / 32; ++w) {
    if (tile.begins.items.words[w] != 0) return w * 32 + lowest_bit(tile.begins.items.words[w]);
  }
  return items_per_thread;
}

// Completes what is left before the first of the thread's items with which a segment begins by what comes before the
// thread's items: the fold of the lower threads, and `prefix`, if has_prefix, which is that of the tiles before.
// Without either, nothing is left there.
__device__ __forceinline__ void complete_first(const TileItems& tile, Accumulator exclusive, bool has_prefix,
                                               const Accumulator& prefix, StoreStorage& storage) {
  const int begin = first_begin(tile);
  const bool first_thread = thread_index() == 0;
  if (begin == items_per_thread || (first_thread && !has_prefix)) return;
  Accumulator carry = first_thread ? prefix : exclusive;
  if (has_prefix && !first_thread) carry = combine(prefix, exclusive);
  Value& ended = storage.ended[thread_index() * items_per_thread + begin];
  ended = begin > 0 ? combine(carry.value, ended) : carry.value;
}
