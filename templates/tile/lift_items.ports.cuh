// What the items of several arrays contribute.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.ports.cuh"

// What each of a thread's items contributes, of those that are there: the tile's first `valid` items.
template <bool whole>
__device__ __forceinline__ void lift_items(const TileItems& tile, int valid, const Scalars& scalars,
                                           Local (&local)[items_per_thread]) {
  const int own = items_of_thread(valid);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || i < own) local[i] = lift(item_of(tile, i), scalars);
  }
}
