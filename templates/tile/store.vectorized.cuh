// Stores a tile by vectors.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

struct StoreStorage {};

constexpr int store_vector_items = store_vector_bytes / sizeof(Output);

union StoreVector {
  Vector<store_vector_bytes> vector;
  Output item[store_vector_items];
};

// Stores a tile's first `valid` items, of which each thread holds neighbouring ones. By vectors of store_vector_bytes,
// item by item where the tile is not whole or not aligned.
template <bool whole>
__device__ __forceinline__ void store_tile(Output* to, int valid, const Output (&items)[items_per_thread],
                                           StoreStorage&) {
  const int first = thread_index() * items_per_thread;
  if (whole && is_aligned<store_vector_bytes>(to)) {
    auto* vectors = reinterpret_cast<Vector<store_vector_bytes>*>(to + first);
#pragma unroll
    for (int v = 0; v < items_per_thread / store_vector_items; ++v) {
      StoreVector stored;
#pragma unroll
      for (int i = 0; i < store_vector_items; ++i) stored.item[i] = items[v * store_vector_items + i];
      vectors[v] = stored.vector;
    }
  } else {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (whole || first + i < valid) to[first + i] = items[i];
    }
  }
}
