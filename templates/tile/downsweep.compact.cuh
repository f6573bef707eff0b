// Compact emission: some items have a result, and the results lie one behind the other.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "operator/combine.count.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.ports.cuh"
#include "tile/lift_items.ports.cuh"
#include "tile/outputs.ports.cuh"
#include "tile/scatter_results.ports.cuh"

// Of a tile that begins with item `first`. The tile's exclusive prefix says where its results begin.
__device__ __forceinline__ TileResults results_from(const TileResults& all, u64) { return all; }

// Downsweep of a tile: finds the slot of each result from the item's exclusive prefix, and stores the results.
// `prefix`, if has_prefix, is the exclusive prefix of the tile.
template <bool whole>
__device__ __forceinline__ void downsweep_tile(const TileResults& results, int valid, const Scalars& scalars,
                                               TileItems& tile, Local exclusive, Local total, bool has_prefix,
                                               Accumulator prefix, StoreStorage& storage) {
  await_loads();
  const int own = items_of_thread(valid);
  const bool first_thread = thread_index() == 0, active = whole || thread_index() < active_threads(valid);
  const TileResults to = results_behind(results, has_prefix ? slots_of(prefix) : 0);
  bool has_carry = has_prefix || !first_thread;
  Local carry = first_thread ? within_tile(prefix) : exclusive;
  if (has_prefix && !first_thread && active) carry = combine(within_tile(prefix), exclusive);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= own) continue;
    const Item item = item_of(tile, i);
    const Local local = lift(item, scalars);
    const u32 slot = has_carry ? u32(slots_of(carry)) : 0;
    put_result(to, has_room(to.left, slot) && has_result(local), slot, result_of(item, carry), storage);
    carry = has_carry ? combine(carry, local) : local;
    has_carry = true;
  }
  await_scattered();
  write_results(to, 0, results_with_room(to.left, 0, u32(slots_of(total))), storage);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
