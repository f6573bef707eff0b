#pragma once

#include "tile/out.keep.cuh"

// The results' memory is still read after end_emission, until settle_emission has.
constexpr bool emission_lingers = true;

// Vectors of shared memory to vectors of global memory.
__device__ __forceinline__ void emit_vectors(void* to, const void* from, int vectors) {
  if (lane_index() > 0) return;
  send_out(to, from, vectors * 16);
  commit_bulk_stores();
}

// Before emit_vectors, by all lanes of a warp: what they wrote to shared memory is seen.
__device__ __forceinline__ void begin_emission() {
  fence_for_bulk_copies();
  warp_barrier();
}

__device__ __forceinline__ void end_emission() {}

// Returns when nothing reads this warp's earlier results any more.
__device__ __forceinline__ void settle_emission() {
  if (lane_index() == 0) wait_bulk_stores_read<0>();
  warp_barrier();
}
