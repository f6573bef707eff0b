#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

// The item before a warp's first one, of a tile of `valid` items that begins at `from`; for the lowest lane. Undefined
// where the warp has no item, and before the first item of all.
template <typename T>
__device__ __forceinline__ T fetch_before(const T* from, int valid, bool is_first) {
  T before;
  const int first = thread_index() * items_per_thread;
  if (lane_index() == 0 && first < valid && !(is_first && first == 0)) before = from[first - 1];
  return before;
}

// The item before this thread's first one. `before_warp` is what fetch_before has returned, and `last` is this thread's
// last item.
template <typename T>
__device__ __forceinline__ T item_before(const T& before_warp, const T& last) {
  const T below = shuffle_up(last, 1);
  return lane_index() == 0 ? before_warp : below;
}
