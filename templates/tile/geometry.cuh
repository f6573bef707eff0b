// Tiles in blocked arrangement: which items a thread holds.
#pragma once

#include "parameters.cuh"

constexpr int tile_items = threads_per_block * items_per_thread;

// Blocked arrangement: each thread holds neighbouring items. Number of this thread's items in a tile of `valid` items.
__device__ __forceinline__ int items_of_thread(int valid) {
  const int left = valid - thread_index() * items_per_thread;
  return left < 0 ? 0 : left < items_per_thread ? left : items_per_thread;
}

// Number of threads that hold any item of a tile of `valid` items; they are the lowest.
__device__ __forceinline__ int active_threads(int valid) { return (valid + items_per_thread - 1) / items_per_thread; }
