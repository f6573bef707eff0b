#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

constexpr int strip_vector_items = load_vector_bytes / sizeof(Input);

union StripVector {
  Vector<load_vector_bytes> vector;
  Input item[strip_vector_items];
};

// Loads this thread's share of a whole aligned tile, in any order: neighbouring threads read neighbouring vectors.
__device__ __forceinline__ void load_strip(const Input* from, Input (&items)[items_per_thread]) {
  const auto* vectors = reinterpret_cast<const Vector<load_vector_bytes>*>(from);
#pragma unroll
  for (int v = 0; v < items_per_thread / strip_vector_items; ++v) {
    StripVector loaded;
    loaded.vector = vectors[v * threads_per_block + thread_index()];
#pragma unroll
    for (int i = 0; i < strip_vector_items; ++i) items[v * strip_vector_items + i] = loaded.item[i];
  }
}
