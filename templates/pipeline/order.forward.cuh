// Places lie in memory in the order of the scan.
#pragma once

#include "parameters.cuh"
#include "pipeline/geometry.cuh"

// Where `count` places begin in memory that holds `all` places, from place `first` on.
__device__ __forceinline__ int in_memory(int first, int, int) { return first; }

// Where `count` places of a tile begin in an array, from place `first` on. `array`: where the first tile begins.
__device__ __forceinline__ Output* in_array(Output* array, u32 tile, int first, int) {
  return array + u64(tile) * tile_places + first;
}
