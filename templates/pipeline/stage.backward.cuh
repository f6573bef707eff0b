// A stage that holds a tile of one array, which is read from its last item to its first. The tile lies there as in
// memory: its last place comes first.
#pragma once

#include "parameters.cuh"
#include "pipeline/fill.bulk.cuh"
#include "pipeline/order.backward.cuh"
#include "pipeline/span.cuh"

// From one of a stage's places on, to the end of a thread's.
using Places = const Input*;

struct TilePlaces {
  Input item[tile_places];

  __device__ __forceinline__ Places operator+(int first) const {
    return item + in_memory(first, thread_items, tile_places);
  }
  __device__ __forceinline__ operator Input*() { return item; }
};

struct alignas(128) Stage {
  TilePlaces item;
};

using StageItems = TilePlaces&;

// Begins to load a tile into a stage, by one warp. The phase of `full` ends when the tile is loaded.
__device__ __forceinline__ void fill_stage(TilePlaces& to, const Span& span, u32 tile, PhaseBarrier* full) {
  const Extent extent = extent_of(span, tile);
  const int items = extent.end - extent.begin, begin = in_memory(extent.begin, items, tile_places);
  fill_places(to.item, span.in - u64(tile) * tile_places - tile_places, {begin, begin + items}, full);
}
