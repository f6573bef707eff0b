// One array is read, from its last item to its first.
#pragma once

#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "tile/downsweep.dense.cuh"
#include "tile/load.direct.cuh"
#include "tile/mirrored.cuh"
#include "tile/prefetch.none.cuh"

// Where items come from.
struct TileInputs {
  Mirrored<const Input> in;
};

using InputsStorage = LoadStorage<Input>;

__device__ __forceinline__ TileInputs all_inputs(const Arguments& arguments) {
  return {mirrored(arguments.in, items_of(arguments))};
}

// From item `first` on.
__device__ __forceinline__ TileInputs inputs_from(const TileInputs& all, u64 first) { return {all.in + first}; }

// Asks for tile `tile` ahead of time, by one thread. Tiles that are not whole are not asked for.
__device__ __forceinline__ void prefetch_inputs(const TileInputs& all, u64 n, u64 tile) {
  const u64 end = (tile + 1) * tile_items;
  if (end <= n) prefetch_tile<tile_items>(all.in.last + 1 - end, tile_items, 0);
}

// Loads a tile's first `valid` items.
template <bool whole>
__device__ __forceinline__ void load_items(const TileInputs& from, int valid, TileItems& tile, InputsStorage& storage) {
  Input loaded[items_per_thread];
  fetch_tile<whole>(from.in, valid, loaded);
  arrange_tile(loaded, storage);
  keep_items(loaded, tile);
}

// Loads the first `valid` items for one thread that takes them in turn.
__device__ __forceinline__ void load_items_ahead(const TileInputs& from, int valid, Item (&items)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i < valid) items[i] = {from.in[i]};
  }
}
