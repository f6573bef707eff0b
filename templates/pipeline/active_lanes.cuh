// Which lanes of a worker warp have items.
#pragma once

#include "pipeline/geometry.cuh"
#include "pipeline/span.cuh"
#include "thread/vector.cuh"

// Lanes of this warp that have any item of a tile, of which there is one at least; they are the lowest.
__device__ __forceinline__ int active_lanes(const Extent& extent) {
  const int lanes = (extent.end - warp_index() * warp_places + thread_items - 1) / thread_items;
  return lanes < warp_size ? lanes : warp_size;
}
