// Begins a bulk store, with the L2 cache's normal policy.
#pragma once

#include "target/cuda.cuh"

__device__ __forceinline__ void begin_bulk_store(void* to, const void* from, u32 bytes) { bulk_store(to, from, bytes); }

__device__ __forceinline__ void store_vector(Vector<16>* to, const Vector<16>& vector) { *to = vector; }
