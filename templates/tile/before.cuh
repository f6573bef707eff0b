#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

// The item before this thread's first one, of a tile of `valid` items that begins at `from`; `last` is this thread's
// last item. Undefined where the thread has no item, and before the first item of all.
template <typename T>
__device__ __forceinline__ T item_before(const T* from, int valid, bool is_first, const T& last) {
  T before = shuffle_up(last, 1);
  const int first = thread_index() * items_per_thread;
  if (lane_index() == 0 && first < valid && !(is_first && first == 0)) before = from[first - 1];
  return before;
}
