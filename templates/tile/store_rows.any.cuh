// Stores a tile of rows with gaps between them.
#pragma once

#include "parameters.cuh"
#include "thread/pitched_items.cuh"
#include "tile/geometry.cuh"
#include "tile/store.direct.cuh"

static_assert(tile_items <= 1 << 15, "PitchedItems counts so far");

// Stores a tile's first `valid` items as store_tile() does. Within one row, items are neighbours in memory.
template <bool whole>
__device__ __forceinline__ void store_rows(const PitchedItems<Output>& to, int valid,
                                           const Output (&items)[items_per_thread], StoreStorage& storage) {
  if (to.left() >= u64(valid)) {
    store_tile<whole>(to.begin(), valid, items, storage);
  } else {
    store_tile<whole>(to, valid, items, storage);
  }
}
