// Tiles lie on a grid of 32-byte addresses, not of items: the first one begins up to 31 bytes before the input, so that
// every vector of every tile is aligned, wherever the input begins. Places count from there. Bulk copies are a sixth
// slower where source and destination do not lie alike on 32 bytes; the first thread must have an item, so where it has
// but one vector, the grid is of 16 bytes.
#pragma once

#include "parameters.cuh"
#include "thread/vector.cuh"

constexpr u32 grid_bytes = vectors_per_thread > 1 ? 32 : 16;

constexpr int warp_places = warp_size * thread_items;

constexpr int tile_places = worker_warps * warp_places;
