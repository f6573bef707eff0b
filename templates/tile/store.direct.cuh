// Stores a tile item by item.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

struct StoreStorage {};

// Stores a tile's first `valid` items, of which each thread holds neighbouring ones. Directly: item by item.
template <bool whole, typename To>
__device__ __forceinline__ void store_tile(To to, int valid, const Output (&items)[items_per_thread], StoreStorage&) {
  const int first = thread_index() * items_per_thread;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || first + i < valid) to[first + i] = items[i];
  }
}
