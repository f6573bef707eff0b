// Begins a bulk load of data that is read once: first to be evicted from the L2 cache.
#pragma once

#include "target/cuda.cuh"

__device__ __forceinline__ void begin_bulk_load(void* to, const void* from, u32 bytes, PhaseBarrier* barrier) {
  bulk_load_once(to, from, bytes, barrier);
}
