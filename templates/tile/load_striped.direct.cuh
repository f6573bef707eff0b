// Loads this thread's share of a whole tile, in any order: neighbouring threads read neighbouring items.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

__device__ __forceinline__ void load_striped(const Input* from, Input (&items)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) items[i] = from[i * threads_per_block + thread_index()];
}
