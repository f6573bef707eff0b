#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/scatter.two_phase.cuh"

// Compact emission: some items have a result, and the results lie one behind the other.

// What a thread holds of a tile.
struct TileItems {
  Input item[items_per_thread];
};

// Where results go, from the first one on.
struct TileResults {
  Output* to;
};

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) {
  return {arguments.out};
}

// Of a tile that begins with item `first`: what stands before it says where its own begin.
__device__ __forceinline__ TileResults results_from(const TileResults& all, u64) {
  return all;
}

__device__ __forceinline__ void keep_items(const Input (&loaded)[items_per_thread], TileItems& tile) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) tile.item[i] = loaded[i];
}

// What each of a thread's items contributes.
__device__ __forceinline__ void lift_items(const TileItems& tile, const Scalars& scalars,
                                           Local (&local)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) local[i] = lift(tile.item[i], scalars);
}

// Second half of scanning a tile: finds the slot of each result from what stands before the item and writes the
// results. `prefix`, where there is one, is the fold of all that stands before the tile.
template <bool whole>
__device__ __forceinline__ void downsweep_tile(const TileResults& results, int valid, const Scalars& scalars,
                                               TileItems& tile, Local before, Local total, bool has_prefix,
                                               Accumulator prefix, StoreStorage& storage) {
  const int own = items_of_thread(valid);
  Output* const to = results.to + (has_prefix ? slots_of(prefix) : 0);
  u32 slot = thread_index() == 0 ? 0 : u32(slots_of(before));  // from the tile's first one on
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= own) continue;
    const Local local = lift(tile.item[i], scalars);
    if (has_result(local)) put_result(to, slot, result_of(tile.item[i]), storage);
    slot += u32(slots_of(local));
  }
  write_results(to, u32(slots_of(total)), storage);
}

// What is written once, by one thread: all there is to know is the fold of all items, if there are any.
constexpr bool finishes = true;

__device__ __forceinline__ void finish_tiles(const Arguments& arguments, bool has_total, Accumulator total) {
  finish(arguments, has_total, total);
}
