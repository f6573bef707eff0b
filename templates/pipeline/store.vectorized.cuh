// Stores results by vectors of 16 bytes.
#pragma once

#include "pipeline/fill.bulk.cuh"
#include "pipeline/bulk_store.keep.cuh"

constexpr bool stores_are_asynchronous = false;

// Vectors of shared memory to vectors of global memory: neighbouring lanes write neighbouring ones.
__device__ __forceinline__ void store_vectors(void* to, const void* from, int vectors) {
#pragma unroll 5
  for (int v = lane_index(); v < vectors; v += warp_size) {
    store_vector(static_cast<Vector<16>*>(to) + v, static_cast<const Vector<16>*>(from)[v]);
  }
}

__device__ __forceinline__ void begin_store() { warp_barrier(); }

// Stores of threads keep the order of their fences and barriers.
__device__ __forceinline__ void order_store() {}

__device__ __forceinline__ void end_store(bool) {
  prepare_refill();
  warp_barrier();
}

__device__ __forceinline__ void await_stores_read() { warp_barrier(); }
