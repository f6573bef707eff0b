// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "parameters.cuh"
#include "thread/load_ahead.cuh"
#include "tile/previous_item.cuh"
#include "tile/load.direct.cuh"
#include "tile/prefetch.none.cuh"

// The items of a tile that a thread holds.
struct TileItems {
  Input in[items_per_thread];
};

// Where items come from.
struct TileInputs {
  const Input* in;
};

struct InputsStorage {
  LoadStorage<Input> in;
};

__device__ __forceinline__ TileInputs all_inputs(const Arguments& arguments) { return {arguments.in}; }

// From item `first` on.
__device__ __forceinline__ TileInputs inputs_from(const TileInputs& all, u64 first) { return {all.in + first}; }

// Asks for tile `tile` ahead of time, by one thread.
__device__ __forceinline__ void prefetch_inputs(const TileInputs& all, u64 n, u64 tile) {
  prefetch_tile<tile_items>(all.in, n, tile);
}

// Loads a tile's first `valid` items. All arrays are read before the threads exchange the items of the first one, so
// that their loads overlap.
template <bool whole>
__device__ __forceinline__ void load_items(const TileInputs& from, int valid, TileItems& tile, InputsStorage& storage) {
  fetch_tile<whole>(from.in, valid, tile.in);
  arrange_tile(tile.in, storage.in);
}

// A thread's item i of those it holds.
__device__ __forceinline__ Item item_of(const TileItems& tile, int i) { return {tile.in[i]}; }

// Loads the first `valid` items for one thread that takes them in turn.
__device__ __forceinline__ void load_items_ahead(const TileInputs& from, int valid, Item (&items)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i < valid) items[i] = {from.in[i]};
  }
}
