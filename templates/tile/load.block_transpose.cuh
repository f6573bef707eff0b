// Loads a tile in striped arrangement, and transposes it over the block.
#pragma once

#include "block/padding.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"

template <typename T>
struct LoadStorage {
  T item[padded(tile_items)];
};

// Loading a tile's first `valid` items so that each thread holds neighbouring ones, in two steps. First step: reads
// them. Neighbouring threads read neighbouring items.
template <bool whole, typename From, typename T>
__device__ __forceinline__ void fetch_tile(From from, int valid, T (&items)[items_per_thread]) {
  const int thread = thread_index();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int place = i * threads_per_block + thread;
    if (whole || place < valid) items[i] = from[place];
  }
}

// Second step: the block exchanges the items through shared memory.
template <typename T>
__device__ __forceinline__ void arrange_tile(T (&items)[items_per_thread], LoadStorage<T>& storage) {
  await_loads();
  const int thread = thread_index();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) storage.item[padded(i * threads_per_block + thread)] = items[i];
  block_barrier();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) items[i] = storage.item[padded(thread * items_per_thread + i)];
}
