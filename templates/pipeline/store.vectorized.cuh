#pragma once

#include "pipeline/fill.bulk.cuh"
#include "pipeline/bulk_store.keep.cuh"

constexpr bool emission_lingers = false;

// Vectors of shared memory to vectors of global memory: neighbouring lanes write neighbouring ones.
__device__ __forceinline__ void emit_vectors(void* to, const void* from, int vectors) {
#pragma unroll 5
  for (int v = lane_index(); v < vectors; v += warp_size) {
    put_vector(static_cast<Vector<16>*>(to) + v, static_cast<const Vector<16>*>(from)[v]);
  }
}

__device__ __forceinline__ void begin_emission() {
  warp_barrier();
}

// Stores of threads keep the order of their fences and barriers.
__device__ __forceinline__ void order_emission() {}

__device__ __forceinline__ void end_emission(bool) {
  prepare_refill();
  warp_barrier();
}

__device__ __forceinline__ void settle_emission() {
  warp_barrier();
}
