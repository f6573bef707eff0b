// Stores compact results coalesced, through shared memory.
#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

template <typename T>
struct ScatterStorage {
  T result[tile_items];
};

// Takes a result for a slot from `to` on, if there is one. In two phases: it waits in shared memory.
template <typename T>
__device__ __forceinline__ void scatter(T*, bool has_result, u32 slot, const T& result, ScatterStorage<T>& storage) {
  if (has_result) storage.result[slot] = result;
}

__device__ __forceinline__ void await_scattered() { block_barrier(); }

// After all threads of the block have scattered theirs: neighbouring threads write neighbouring results.
template <typename T>
__device__ __forceinline__ void write_scattered(T* to, u32 begin, u32 end, ScatterStorage<T>& storage) {
  constexpr int batch = 4;  // results per thread whose loads overlap
  for (u32 first = begin; first < end; first += batch * threads_per_block) {
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const u32 slot = first + u32(i * threads_per_block + thread_index());
      if (slot < end) to[slot] = storage.result[slot];
    }
  }
}
