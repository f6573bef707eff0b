// Begins a bulk load, with the L2 cache's normal policy.
#pragma once

#include "target/cuda.cuh"

__device__ __forceinline__ void begin_bulk_load(void* to, const void* from, u32 bytes, PhaseBarrier* barrier) {
  bulk_load(to, from, bytes, barrier);
}
