#pragma once

#include "target/cuda.cuh"

// Begins a bulk store of what is not needed again soon: the L2 cache gives it up first.
__device__ __forceinline__ void send_out(void* to, const void* from, u32 bytes) {
  bulk_store_once(to, from, bytes);
}

// Likewise.
__device__ __forceinline__ void put_vector(Vector<16>* to, const Vector<16>& vector) {
  store_once(to, vector);
}
