// Tiles begin at addresses that are multiples of 32. The first tile begins up to 31 bytes before the input, so that
// every vector of every tile is aligned, wherever the input begins. A place is the position of an item, counted from
// the beginning of the first tile. Bulk copies are a sixth slower where source and destination differ modulo 32. The
// first thread must have an item, so where a thread has only one vector, tiles begin at multiples of 16.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

constexpr u32 grid_bytes = vectors_per_thread > 1 ? 32 : 16;

constexpr int warp_places = warp_size * thread_items;

constexpr int tile_places = worker_warps * warp_places;
