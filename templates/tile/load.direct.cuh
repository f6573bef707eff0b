// Loads a tile item by item.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

template <typename T>
struct LoadStorage {};

// Loading a tile's first `valid` items so that each thread holds neighbouring ones, in two steps. First step: reads
// them, directly, item by item.
template <bool whole, typename From, typename T>
__device__ __forceinline__ void fetch_tile(From from, int valid, T (&items)[items_per_thread]) {
  const int first = thread_index() * items_per_thread;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || first + i < valid) items[i] = from[first + i];
  }
}

// Second step: nothing is left to do.
template <typename T>
__device__ __forceinline__ void arrange_tile(T (&)[items_per_thread], LoadStorage<T>&) {}
