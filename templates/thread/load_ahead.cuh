// Loads the first `valid` items before any of them is used, so that all loads are under way at the same time.
#pragma once

#include "parameters.cuh"

template <typename T>
__device__ __forceinline__ void load_ahead(const T* from, int valid, T (&items)[items_per_thread]) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (i < valid) items[i] = from[i];
  }
}
