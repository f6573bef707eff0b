// Where the items of each part of a partition go.
#pragma once

#include "parameters.cuh"

struct TileResults {
  const Arguments* arguments;
  u64 before;      // items before the tile
  u64 front;       // of a stable partition, how many items of all are in front
  bool has_front;  // whether that was counted before the tile's items were loaded
};

// Whether results may take the place of items that other tiles read.
__device__ __forceinline__ bool replaces_items(const Arguments&) { return false; }

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) { return {&arguments, 0, 0, false}; }
