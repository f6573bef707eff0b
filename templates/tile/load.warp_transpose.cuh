// Loads a tile in warp-striped arrangement, and transposes it over each warp.
#pragma once

#include "block/padding.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"

constexpr int load_warp_items = warp_size * items_per_thread;

template <typename T>
struct LoadStorage {
  T item[threads_per_block / warp_size][padded(load_warp_items)];
};

// Loading a tile's first `valid` items so that each thread holds neighbouring ones, in two steps. First step: reads
// them. Neighbouring lanes read neighbouring items of their warp's part.
template <bool whole, typename From, typename T>
__device__ __forceinline__ void fetch_tile(From from, int valid, T (&items)[items_per_thread]) {
  const int lane = lane_index(), first = warp_index() * load_warp_items;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int place = i * warp_size + lane;
    if (whole || first + place < valid) items[i] = from[first + place];
  }
}

// Second step: the warp exchanges the items through shared memory, without a block barrier.
template <typename T>
__device__ __forceinline__ void arrange_tile(T (&items)[items_per_thread], LoadStorage<T>& storage) {
  await_loads();
  const int lane = lane_index();
  auto& own = storage.item[warp_index()];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) own[padded(i * warp_size + lane)] = items[i];
  warp_barrier();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) items[i] = own[padded(lane * items_per_thread + i)];
}
