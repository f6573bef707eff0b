#pragma once

#include "target/cuda.cuh"

// Begins a bulk load; the L2 cache treats it like any other.
__device__ __forceinline__ void bring_in(void* to, const void* from, u32 bytes, PhaseBarrier& barrier) {
  bulk_load(to, from, bytes, &barrier);
}
