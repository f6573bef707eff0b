// Stores results by bulk copies.
#pragma once

#include "pipeline/fill.bulk.cuh"
#include "pipeline/bulk_store.keep.cuh"

// After end_store, bulk stores still read the results until await_stores_read returns.
constexpr bool stores_are_asynchronous = true;

// Vectors of shared memory to vectors of global memory.
__device__ __forceinline__ void store_vectors(void* to, const void* from, int vectors) {
  if (lane_index() > 0) return;
  begin_bulk_store(to, from, vectors * 16);
  commit_bulk_stores();
}

// Before store_vectors, by all lanes of a warp: bulk stores see what the lanes wrote to shared memory.
__device__ __forceinline__ void begin_store() {
  fence_for_bulk_copies();
  warp_barrier();
}

// Before store_vectors, where results take the place of items: orders the bulk stores after all accesses that this
// thread knows of.
__device__ __forceinline__ void order_store() { fence_for_bulk_stores(); }

// By all lanes of a warp. `threads_read`: whether lanes read results, too. These reads come after the fence of
// begin_store, so the bulk load that fills the stage next waits for them only after another fence.
__device__ __forceinline__ void end_store(bool threads_read) {
  if (results_in_stage && threads_read) prepare_refill();
}

// Returns when the bulk stores of this warp have read its earlier results.
__device__ __forceinline__ void await_stores_read() {
  if (lane_index() == 0) wait_bulk_stores_read<0>();
  warp_barrier();
}
