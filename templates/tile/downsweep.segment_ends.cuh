// Folds of segments: what the items of a segment fold to is left at the place behind its last item, where the next
// segment begins.
#pragma once

#include "algorithm/hooks.reduce_segments.cuh"
#include "operator/combine.flagged.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.segments.cuh"
#include "tile/lift_items.ports.cuh"

struct StoreStorage {
  Value ended[tile_items];  // at the places with which segments begin
};

// Of a tile that was folded: what comes before each item with which a segment begins. `prefix`, if has_prefix, is the
// exclusive prefix of the tile. Without it, nothing is left at place 0.
template <bool whole>
__device__ __forceinline__ void leave_ended(int valid, const TileItems& tile, Accumulator exclusive, bool has_prefix,
                                            const Accumulator& prefix, StoreStorage& storage) {
  const int own = items_of_thread(valid), first = thread_index() * items_per_thread;
  const bool first_thread = thread_index() == 0, active = whole || thread_index() < active_threads(valid);
  bool has_carry = has_prefix || !first_thread;
  Accumulator carry = first_thread ? prefix : exclusive;
  if (has_prefix && !first_thread && active) carry = combine(prefix, exclusive);
  Value before = carry.value;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= own) continue;
    const Item item = item_of(tile, i);
    if (item.begins_row && has_carry) storage.ended[first + i] = before;
    const Value value = Value(item.in);
    before = has_carry && !item.begins_row ? combine(before, value) : value;
    has_carry = true;
  }
}
