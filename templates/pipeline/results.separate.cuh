// Results wait in memory of their own.
#pragma once

#include "pipeline/span.cuh"

struct alignas(128) ResultStorage {
  Output item[tile_places];
};

// Where a tile's results wait to be stored: in memory of their own.
__device__ __forceinline__ Output* results_of(Input*, ResultStorage& storage) { return storage.item; }
