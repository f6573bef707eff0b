// Begins a bulk store of data that is not read again soon: first to be evicted from the L2 cache.
#pragma once

#include "target/cuda.cuh"

__device__ __forceinline__ void begin_bulk_store(void* to, const void* from, u32 bytes) {
  bulk_store_once(to, from, bytes);
}

// Likewise.
__device__ __forceinline__ void store_vector(Vector<16>* to, const Vector<16>& vector) { store_once(to, vector); }
