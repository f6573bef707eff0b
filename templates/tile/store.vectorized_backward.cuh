// Stores a tile of an array that is written from its last item to its first, by vectors.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/mirrored.cuh"

struct StoreStorage {};

constexpr int store_vector_items = store_vector_bytes / sizeof(Output);

union StoreVector {
  Vector<store_vector_bytes> vector;
  Output item[store_vector_items];
};

// Stores a tile's first `valid` items, of which each thread holds neighbouring ones. By vectors of store_vector_bytes,
// item by item where the tile is not whole or not aligned. In memory, the last one comes first.
template <bool whole>
__device__ __forceinline__ void store_tile(const Mirrored<Output>& to, int valid,
                                           const Output (&items)[items_per_thread], StoreStorage&) {
  const int first = thread_index() * items_per_thread;
  if (whole && is_aligned<store_vector_bytes>(to.last + 1)) {
    auto* behind = reinterpret_cast<Vector<store_vector_bytes>*>(to.last + 1 - first);
#pragma unroll
    for (int v = 0; v < items_per_thread / store_vector_items; ++v) {
      StoreVector stored;
#pragma unroll
      for (int i = 0; i < store_vector_items; ++i) {
        stored.item[store_vector_items - 1 - i] = items[v * store_vector_items + i];
      }
      behind[-1 - v] = stored.vector;
    }
  } else {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (whole || first + i < valid) to[first + i] = items[i];
    }
  }
}
