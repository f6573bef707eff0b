// Dense emission: a result at the place of each item.
#pragma once

#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "thread/scan.cuh"
#include "tile/geometry.cuh"
#include "tile/results.forward.cuh"
#include "tile/store.direct.cuh"

// The items of a tile that a thread holds.
struct TileItems {
  Local item[items_per_thread];
};

__device__ __forceinline__ void keep_items(const Input (&loaded)[items_per_thread], TileItems& tile) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) tile.item[i] = lift(loaded[i]);
}

// What each of a thread's items contributes.
template <bool whole>
__device__ __forceinline__ void lift_items(const TileItems& tile, int, const Scalars&,
                                           Local (&local)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) local[i] = tile.item[i];
}

// Downsweep of a tile: scans each thread's items from the thread's exclusive prefix, and stores the results. `prefix`,
// if has_prefix, is the exclusive prefix of the tile.
template <bool whole>
__device__ __forceinline__ void downsweep_tile(const TileResults& results, int valid, const Scalars&, TileItems& tile,
                                               Local exclusive, Local, bool has_prefix, Accumulator prefix,
                                               StoreStorage& storage) {
  const bool first_thread = thread_index() == 0, active = whole || thread_index() < active_threads(valid);
  const bool has_carry = has_prefix || !first_thread;
  const Accumulator carry = first_thread ? prefix : has_prefix && active ? combine(prefix, exclusive) : exclusive;
  thread_scan<whole>(tile.item, items_of_thread(valid), has_carry, carry);
  Output stored[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) stored[i] = Output(tile.item[i]);
  store_tile<whole>(results.to, valid, stored, storage);
}

// Nothing is written once.
constexpr bool finishes = false;

__device__ __forceinline__ void finish_tiles(const Arguments&, bool, Accumulator) {}
