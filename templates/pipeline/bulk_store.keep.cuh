#pragma once

#include "target/cuda.cuh"

// Begins a bulk store; the L2 cache treats it like any other.
__device__ __forceinline__ void send_out(void* to, const void* from, u32 bytes) {
  bulk_store(to, from, bytes);
}

__device__ __forceinline__ void put_vector(Vector<16>* to, const Vector<16>& vector) {
  *to = vector;
}
