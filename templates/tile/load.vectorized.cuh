// Loads a tile by vectors.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

template <typename T>
struct LoadStorage {};

// Bytes of the widest vector that divides what a thread holds.
template <typename T>
__device__ constexpr int load_bytes() {
  constexpr int bytes = items_per_thread * sizeof(T);
  return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : 4;
}

template <typename T>
union LoadVector {
  Vector<load_bytes<T>()> vector;
  T item[load_bytes<T>() / sizeof(T)];
};

// Loading a tile's first `valid` items so that each thread holds neighbouring ones, in two steps. First step: reads
// them by vectors, or item by item where the tile is not whole or not aligned.
template <bool whole, typename T>
__device__ __forceinline__ void fetch_tile(const T* from, int valid, T (&items)[items_per_thread]) {
  constexpr int bytes = load_bytes<T>(), vector_items = bytes / sizeof(T);
  const int first = thread_index() * items_per_thread;
  if (whole && is_aligned<bytes>(from)) {
    const auto* vectors = reinterpret_cast<const Vector<bytes>*>(from + first);
#pragma unroll
    for (int v = 0; v < items_per_thread / vector_items; ++v) {
      LoadVector<T> loaded;
      loaded.vector = vectors[v];
#pragma unroll
      for (int i = 0; i < vector_items; ++i) items[v * vector_items + i] = loaded.item[i];
    }
  } else {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (whole || first + i < valid) items[i] = from[first + i];
    }
  }
}

// Second step: nothing is left to do.
template <typename T>
__device__ __forceinline__ void arrange_tile(T (&)[items_per_thread], LoadStorage<T>&) {}
