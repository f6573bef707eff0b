#pragma once

#include "target/cuda.cuh"

// Begins a bulk load of what is not needed again: the L2 cache gives it up first.
__device__ __forceinline__ void bring_in(void* to, const void* from, u32 bytes, PhaseBarrier& barrier) {
  bulk_load_once(to, from, bytes, &barrier);
}
