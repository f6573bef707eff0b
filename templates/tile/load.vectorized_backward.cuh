// Loads a tile of an array that is read from its last item to its first, by vectors.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/mirrored.cuh"

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
// them by vectors, or item by item where the tile is not whole or not aligned. In memory, the last one comes first.
template <bool whole, typename T>
__device__ __forceinline__ void fetch_tile(const Mirrored<const T>& from, int valid, T (&items)[items_per_thread]) {
  constexpr int bytes = load_bytes<T>(), vector_items = bytes / sizeof(T), vectors = items_per_thread / vector_items;
  const int first = thread_index() * items_per_thread;
  if (whole && is_aligned<bytes>(from.last + 1)) {
    const auto* behind = reinterpret_cast<const Vector<bytes>*>(from.last + 1 - first);
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      LoadVector<T> loaded;
      loaded.vector = behind[-1 - v];
#pragma unroll
      for (int i = 0; i < vector_items; ++i) items[v * vector_items + i] = loaded.item[vector_items - 1 - i];
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
