// Loads a tile of rows with gaps between them.
#pragma once

#include "parameters.cuh"
#include "thread/pitched_items.cuh"
#include "tile/geometry.cuh"
#include "tile/load.direct.cuh"

static_assert(tile_items <= 1 << 15, "PitchedItems counts so far");

// Fetches a tile's first `valid` items as fetch_tile() does. Within one row, items are neighbours in memory.
template <bool whole, typename T>
__device__ __forceinline__ void fetch_rows(const PitchedItems<const T>& from, int valid, T (&items)[items_per_thread]) {
  if (from.left() >= u64(valid)) {
    fetch_tile<whole>(from.begin(), valid, items);
  } else {
    fetch_tile<whole>(from, valid, items);
  }
}
