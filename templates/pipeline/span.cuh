// Which places of each tile hold items.
#pragma once

#include "parameters.cuh"
#include "pipeline/arrays.single.cuh"
#include "pipeline/geometry.cuh"

// The places of a tile that hold items: [begin, end) of tile_places.
struct Extent {
  int begin;
  int end;
};

__device__ __forceinline__ Extent extent_of(const Span& span, u32 tile) {
  const u64 first = u64(tile) * tile_places, left = span.end - first;
  return {first < span.begin ? int(span.begin) : 0, left < tile_places ? int(left) : tile_places};
}

// Number of threads that have any item of a tile; they are the lowest.
__device__ __forceinline__ int active_workers(const Extent& extent) {
  return (extent.end + thread_items - 1) / thread_items;
}
