// A stage that holds a tile of one array.
#pragma once

#include "parameters.cuh"
#include "pipeline/fill.bulk.cuh"
#include "pipeline/span.cuh"

struct alignas(128) Stage {
  Input item[tile_places];
};

using StageItems = Input*;

// From one of a stage's places on.
using Places = const Input*;

// Begins to load a tile into a stage, by one warp. The phase of `full` ends when the tile is loaded.
__device__ __forceinline__ void fill_stage(Input* to, const Span& span, u32 tile, PhaseBarrier* full) {
  fill_places(to, span.in + u64(tile) * tile_places, extent_of(span, tile), full);
}
