// One array is written, from its last item to its first: a result at the place of each item.
#pragma once

#include "algorithm/limits.none.cuh"
#include "parameters.cuh"
#include "tile/mirrored.cuh"

// Where results go, from that of an item on.
struct TileResults {
  Mirrored<Output> to;
};

// Whether results may take the place of items that other tiles read.
__device__ __forceinline__ bool replaces_items(const Arguments&) { return false; }

__device__ __forceinline__ TileResults all_results(const Arguments& arguments) {
  return {mirrored(arguments.out, items_of(arguments))};
}

// Of a tile that begins with item `first`.
__device__ __forceinline__ TileResults results_from(const TileResults& all, u64 first) { return {all.to + first}; }
