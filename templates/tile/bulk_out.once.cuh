#pragma once

#include "target/cuda.cuh"

// Begins a bulk store of what is not needed again soon: the L2 cache gives it up first.
__device__ __forceinline__ void send_out(void* to, const void* from, u32 bytes) {
  bulk_store_once(to, from, bytes);
}
