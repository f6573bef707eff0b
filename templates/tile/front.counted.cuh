// Where parts begin: the kernel counts how many items of all are in front before it stores the first tile.
#pragma once

#include "parameters.cuh"
#include "tile/outputs.parts.cuh"

// Whether the kernel counts the items in front itself.
constexpr bool counts_first = true;

// How many items of all are in front.
__device__ __forceinline__ u64 front_of(const TileResults& all) { return all.front; }

__device__ __forceinline__ void set_front(TileResults& results, u64 front) {
  results.front = front;
  results.has_front = true;
}

// Where nobody has counted: the tiles that are there hold all items.
__device__ __forceinline__ void set_first_front(TileResults& results, u64 front) {
  if (!results.has_front) results.front = front;
}
