// Stores a tile of rows with gaps between them by vectors.
#pragma once

#include "parameters.cuh"
#include "thread/pitched_items.cuh"
#include "tile/geometry.cuh"
#include "tile/store.vectorized.cuh"

static_assert(tile_items <= 1 << 15, "PitchedItems counts so far");

// Stores a tile's first `valid` items as store_tile() does. Within one row, items are neighbours in memory. Where all
// rows begin and end with vectors, each vector lies in one row. Otherwise, each thread writes its items one by one.
template <bool whole>
__device__ __forceinline__ void store_rows(const PitchedItems<Output>& to, int valid,
                                           const Output (&items)[items_per_thread], StoreStorage& storage) {
  if (to.left() >= u64(valid)) return store_tile<whole>(to.begin(), valid, items, storage);
  constexpr int bytes = store_vector_bytes;
  const int first = thread_index() * items_per_thread;
  const u64 places = reinterpret_cast<u64>(to.begin()) | to.length * sizeof(Output) | to.pitch * sizeof(Output);
  if (places % bytes == 0) {
#pragma unroll
    for (int v = 0; v < items_per_thread / store_vector_items; ++v) {
      const int place = first + v * store_vector_items;
      if (!whole && place >= valid) continue;
      StoreVector stored;
#pragma unroll
      for (int i = 0; i < store_vector_items; ++i) stored.item[i] = items[v * store_vector_items + i];
      *reinterpret_cast<Vector<bytes>*>(&to[place]) = stored.vector;
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || first + i < valid) to[first + i] = items[i];
  }
}
