#pragma once

#include "parameters.cuh"
#include "pipeline/fill.bulk.cuh"
#include "pipeline/span.cuh"

struct alignas(128) Stage {
  Input item[tile_items];
};

using StageItems = Input*;

// From one of a stage's places on.
using Places = const Input*;

// Begins to bring a tile's items to a stage, by one warp; `full` ends its phase when they are there.
__device__ __forceinline__ void fill_stage(Input* to, const Span& span, u32 tile, PhaseBarrier& full) {
  fill_places(to, span, tile, full);
}
