#pragma once

#include "parameters.cuh"
#include "tile/geometry.cuh"

struct StoreStorage {
  Output result[tile_items];
};

// Takes a result for a slot from `to` on. In two phases: it waits in shared memory.
__device__ __forceinline__ void put_result(Output*, u32 slot, Output result, StoreStorage& storage) {
  storage.result[slot] = result;
}

// After all threads of the block have put theirs: neighbouring threads write neighbouring results.
__device__ __forceinline__ void write_results(Output* to, u32 count, StoreStorage& storage) {
  block_barrier();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const u32 slot = u32(i * threads_per_block + thread_index());
    if (slot < count) to[slot] = storage.result[slot];
  }
}
