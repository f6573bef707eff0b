// The item before each thread's first one.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

// The item before a warp's first one, of a tile of `valid` items that begins at `from`; for the lowest lane. Undefined
// where the warp has no item, and before the first item of all.
template <typename T>
__device__ __forceinline__ T fetch_previous(const T* from, int valid, bool is_first) {
  T previous;
  const int first = thread_index() * items_per_thread;
  if (lane_index() == 0 && first < valid && !(is_first && first == 0)) previous = from[first - 1];
  return previous;
}

// The item before this thread's first one. `previous_of_warp` is what fetch_previous has returned, and `last` is this
// thread's last item.
template <typename T>
__device__ __forceinline__ T previous_item(const T& previous_of_warp, const T& last) {
  const T below = shuffle_up(last, 1);
  return lane_index() == 0 ? previous_of_warp : below;
}

// The item before that one, where fetch_previous has one: other tiles have more than one item. For the lowest lane.
template <typename T>
__device__ __forceinline__ T fetch_second_previous(const T* from, int valid, bool is_first) {
  T previous;
  const int first = thread_index() * items_per_thread;
  if (lane_index() == 0 && first < valid && !(is_first && first == 0)) previous = from[first - 2];
  return previous;
}

// The item before the one that previous_item has returned, `before`. `second_of_warp` is what fetch_second_previous has
// returned, and `items` are this thread's.
template <typename T>
__device__ __forceinline__ T second_previous_item(const T& second_of_warp, const T (&items)[items_per_thread],
                                                  const T& before) {
  constexpr int last_but_one = items_per_thread > 1 ? items_per_thread - 2 : 0;
  return previous_item(second_of_warp, items_per_thread > 1 ? items[last_but_one] : before);
}
