// Stores a tile in striped arrangement, after a transpose over the block.
#pragma once

#include "block/padding.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"

struct StoreStorage {
  Output item[padded(tile_items)];
};

// Stores a tile's first `valid` items, of which each thread holds neighbouring ones. The block exchanges them through
// shared memory, so that neighbouring threads write neighbouring items.
template <bool whole, typename To>
__device__ __forceinline__ void store_tile(To to, int valid, const Output (&items)[items_per_thread],
                                           StoreStorage& storage) {
  const int thread = thread_index();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) storage.item[padded(thread * items_per_thread + i)] = items[i];
  block_barrier();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int place = i * threads_per_block + thread;
    if (whole || place < valid) to[place] = storage.item[padded(place)];
  }
}
