#pragma once

#include "pipeline/fill.bulk.cuh"
#include "pipeline/bulk_store.keep.cuh"

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

// Before emit_vectors, where results take the place of items: its stores come after all that this thread knows of.
__device__ __forceinline__ void order_emission() {
  fence_for_bulk_stores();
}

// By all lanes of a warp; `threads_read`: whether any read what it wrote, too. begin_emission came before these reads,
// so the bulk load that fills the stage next is not held up by them without another fence.
__device__ __forceinline__ void end_emission(bool threads_read) {
  if (results_in_stage && threads_read) prepare_refill();
}

// Returns when nothing reads this warp's earlier results any more.
__device__ __forceinline__ void settle_emission() {
  if (lane_index() == 0) wait_bulk_stores_read<0>();
  warp_barrier();
}
