// Loads a tile of rows with gaps between them by vectors.
#pragma once

#include "parameters.cuh"
#include "thread/pitched_items.cuh"
#include "tile/geometry.cuh"
#include "tile/load.vectorized.cuh"

static_assert(tile_items <= 1 << 15, "PitchedItems counts so far");

// Fetches a tile's first `valid` items as fetch_tile() does. Within one row, items are neighbours in memory. Where all
// rows begin and end with vectors, each vector lies in one row. Otherwise, each thread reads its items one by one.
template <bool whole, typename T>
__device__ __forceinline__ void fetch_rows(const PitchedItems<const T>& from, int valid, T (&items)[items_per_thread]) {
  if (from.left() >= u64(valid)) return fetch_tile<whole>(from.begin(), valid, items);
  constexpr int bytes = load_bytes<T>(), vector_items = bytes / sizeof(T);
  const int first = thread_index() * items_per_thread;
  const u64 places = reinterpret_cast<u64>(from.begin()) | from.length * sizeof(T) | from.pitch * sizeof(T);
  if (places % bytes == 0) {
#pragma unroll
    for (int v = 0; v < items_per_thread / vector_items; ++v) {
      const int place = first + v * vector_items;
      if (!whole && place >= valid) continue;
      LoadVector<T> loaded;
      loaded.vector = *reinterpret_cast<const Vector<bytes>*>(&from[place]);
#pragma unroll
      for (int i = 0; i < vector_items; ++i) items[v * vector_items + i] = loaded.item[i];
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || first + i < valid) items[i] = from[first + i];
  }
}
