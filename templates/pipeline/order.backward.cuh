// Places lie in memory in the opposite of the order of the scan: the last one first.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"

// Where `count` places begin in memory that holds `all` places, from place `first` on.
__device__ __forceinline__ int in_memory(int first, int count, int all) { return all - first - count; }

// Where `count` places of a tile begin in an array, from place `first` on. `array`: behind place 0 of the first tile.
__device__ __forceinline__ Output* in_array(Output* array, u32 tile, int first, int count) {
  return array - u64(tile) * tile_places - first - count;
}
