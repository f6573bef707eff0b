// Scans of segments with gaps between them: a result at the place of each item of a segment. Where a tile may have a
// gap, each thread writes its results one by one.
#pragma once

#include "algorithm/hooks.ports.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.segments.cuh"
#include "tile/lift_items.ports.cuh"
#include "tile/outputs.segments.cuh"
#include "tile/segment_gaps.bits.cuh"
#include "tile/store_results.ports.cuh"

// Of a tile that begins with item `first`.
__device__ __forceinline__ TileResults results_from(const TileResults& all, u64 first) {
  return results_behind(all, first);
}

// Downsweep of a tile: scans each thread's items from the thread's exclusive prefix, and stores the results. `prefix`,
// if has_prefix, is the exclusive prefix of the tile.
template <bool whole>
__device__ __forceinline__ void downsweep_tile(const TileResults& results, int valid, const Scalars& scalars,
                                               TileItems& tile, Local exclusive, Local, bool has_prefix,
                                               Accumulator prefix, StoreStorage& storage) {
  await_loads();
  const int own = items_of_thread(valid);
  const bool first_thread = thread_index() == 0, active = whole || thread_index() < active_threads(valid);
  bool has_carry = has_prefix || !first_thread;
  Local carry = first_thread ? within_tile(prefix) : exclusive;
  if (has_prefix && !first_thread && active) carry = combine(within_tile(prefix), exclusive);
  Value before = carry.value;
  Result result[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= own) continue;
    const Item item = item_of(tile, i);
    const Value value = has_carry ? extend(item, before, scalars) : lift(item, scalars).value;
    result[i] = result_of(item, before, value, scalars);
    before = value;
    has_carry = true;
  }
  if (!tile.gaps.may_be) {
    store_results<whole>(results, valid, result, storage);
    return;
  }
  Output* const to = results.out + thread_index() * items_per_thread;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if ((whole || i < own) && !is_in_gap(tile.gaps.own, i)) to[i] = result[i].out;
  }
}

// Nothing is written once.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
