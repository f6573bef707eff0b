// Emission to both ends: the results of some items lie one behind the other from the beginning of the output on, those
// of the others from its end back.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "operator/combine.count.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.ports.cuh"
#include "tile/lift_items.ports.cuh"
#include "tile/outputs.ports.cuh"
#include "tile/scatter_results.ports.cuh"

// Of a tile that begins with item `first`. The back pieces of the tiles before it end the output.
__device__ __forceinline__ TileResults results_from(const TileResults& all, u64 first) {
  TileResults own = all;
  own.left = all.left - first;
  return own;
}

// Downsweep of a tile: finds the slot of each result from the item's exclusive prefix, and stores the results.
// `prefix`, if has_prefix, is the exclusive prefix of the tile. In shared memory, the back piece lies behind the front
// piece.
template <bool whole>
__device__ __forceinline__ void downsweep_tile(const TileResults& results, int valid, const Scalars& scalars,
                                               TileItems& tile, Local exclusive, Local total, bool has_prefix,
                                               Accumulator prefix, StoreStorage& storage) {
  await_loads();
  const int own = items_of_thread(valid), first_place = thread_index() * items_per_thread;
  const u64 before = has_prefix ? slots_of(prefix) : 0;
  const TileResults front = results_behind(results, before);
  const TileResults back = results_behind(results, results.left + before - u64(valid));
  u32 slot = thread_index() == 0 ? 0 : u32(slots_of(exclusive));
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= own) continue;
    const Item item = item_of(tile, i);
    const Local local = lift(item, scalars);
    const bool is_front = has_result(local);
    const u32 from_end = u32(first_place + i) - slot;
    put_result(is_front ? front : back, true, is_front ? slot : u32(valid) - 1 - from_end, result_of(item, local),
               storage);
    slot += u32(slots_of(local));
  }
  const u32 fronts = u32(slots_of(total));
  await_scattered();
  write_results(front, 0, fronts, storage);
  write_results(back, fronts, u32(valid), storage);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
