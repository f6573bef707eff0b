#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

struct LoadStorage {};

constexpr int load_vector_items = load_vector_bytes / sizeof(Input);

union LoadVector {
  Vector<load_vector_bytes> vector;
  Input item[load_vector_items];
};

// Loads a tile's first `valid` items so that each thread holds neighbouring ones. By vectors of load_vector_bytes,
// item by item where the tile is not whole or not aligned.
template <bool whole>
__device__ __forceinline__ void load_tile(const Input* from, int valid, Input (&items)[items_per_thread],
                                          LoadStorage&) {
  const int first = thread_index() * items_per_thread;
  if (whole && is_aligned<load_vector_bytes>(from)) {
    const auto* vectors = reinterpret_cast<const Vector<load_vector_bytes>*>(from + first);
#pragma unroll
    for (int v = 0; v < items_per_thread / load_vector_items; ++v) {
      LoadVector loaded;
      loaded.vector = vectors[v];
#pragma unroll
      for (int i = 0; i < load_vector_items; ++i) items[v * load_vector_items + i] = loaded.item[i];
    }
  } else {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (whole || first + i < valid) items[i] = from[first + i];
    }
  }
}
