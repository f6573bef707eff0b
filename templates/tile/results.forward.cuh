// One array is written, a result at the place of each item.
#pragma once

#include "parameters.cuh"

// Where results go, from that of an item on.
struct TileResults {
  Output* to;
};

// Whether results may take the place of items that other tiles read.
__device__ __forceinline__ bool replaces_items(const Arguments&) { return false; }

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) { return {arguments.out}; }

// Of a tile that begins with item `first`.
__device__ __forceinline__ TileResults results_from(const TileResults& all, u64 first) { return {all.to + first}; }
