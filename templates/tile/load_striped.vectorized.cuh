// Loads a tile in striped arrangement, by vectors.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

constexpr int striped_vector_items = load_vector_bytes / sizeof(Input);

union StripedVector {
  Vector<load_vector_bytes> vector;
  Input item[striped_vector_items];
};

// Loads this thread's share of a whole aligned tile, in any order: neighbouring threads read neighbouring vectors.
__device__ __forceinline__ void load_striped(const Input* from, Input (&items)[items_per_thread]) {
  const auto* vectors = reinterpret_cast<const Vector<load_vector_bytes>*>(from);
#pragma unroll
  for (int v = 0; v < items_per_thread / striped_vector_items; ++v) {
    StripedVector loaded;
    loaded.vector = vectors[v * threads_per_block + thread_index()];
#pragma unroll
    for (int i = 0; i < striped_vector_items; ++i) items[v * striped_vector_items + i] = loaded.item[i];
  }
}
