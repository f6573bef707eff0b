#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

template <typename T>
struct ScatterStorage {
  T result[tile_items];
};

// Takes a result for a slot from `to` on. In two phases: it waits in shared memory.
template <typename T>
__device__ __forceinline__ void scatter(T*, u32 slot, const T& result, ScatterStorage<T>& storage) {
  storage.result[slot] = result;
}

__device__ __forceinline__ void await_scattered() {
  block_barrier();
}

// After all threads of the block have scattered theirs: neighbouring threads write neighbouring results.
template <typename T>
__device__ __forceinline__ void write_scattered(T* to, u32 count, ScatterStorage<T>& storage) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const u32 slot = u32(i * threads_per_block + thread_index());
    if (slot < count) to[slot] = storage.result[slot];
  }
}
