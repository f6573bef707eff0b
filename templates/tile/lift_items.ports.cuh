// What the items of several arrays contribute.
#pragma once

#include "algorithm/hooks.select_if.cuh"
#include "parameters.cuh"
#include "tile/inputs.ports.cuh"

// What each of a thread's items contributes.
__device__ __forceinline__ void lift_items(const TileItems& tile, const Scalars& scalars,
                                           Local (&local)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) local[i] = lift(item_of(tile, i), scalars);
}
