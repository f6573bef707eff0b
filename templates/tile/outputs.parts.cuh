// Where the items of each part of a partition go.
#pragma once

#include "parameters.cuh"

// Where parts begin is read from the arguments, and perhaps from memory, once a tile has its prefix.
struct TileResults {
  const Arguments* arguments;
  u64 before;  // items before the tile
};

// Whether results may take the place of items that other tiles read.
__device__ __forceinline__ bool replaces_items(const Arguments&) { return false; }

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) { return {&arguments, 0}; }
