// Stores a tile in warp-striped arrangement, after a transpose over each warp.
#pragma once

#include "block/padding.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"

constexpr int store_warp_items = warp_size * items_per_thread;

struct StoreStorage {
  Output item[threads_per_block / warp_size][padded(store_warp_items)];
};

// Stores a tile's first `valid` items, of which each thread holds neighbouring ones. Each warp exchanges its own
// through shared memory, so that neighbouring lanes write neighbouring items: no block barrier.
template <bool whole, typename To>
__device__ __forceinline__ void store_tile(To to, int valid, const Output (&items)[items_per_thread],
                                           StoreStorage& storage) {
  const int lane = lane_index(), first = warp_index() * store_warp_items;
  auto& own = storage.item[warp_index()];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) own[padded(lane * items_per_thread + i)] = items[i];
  warp_barrier();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int place = i * warp_size + lane;
    if (whole || first + place < valid) to[first + place] = own[padded(place)];
  }
}
