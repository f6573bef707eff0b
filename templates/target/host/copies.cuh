// Copies between global and shared memory that go on while the thread does something else.
#pragma once

#include "target/host_interface.cuh"
#include "target/host/shared_memory.cuh"
#include "target/host/phase_barriers.cuh"
#include "target/types.cuh"

// ---- asynchronous copies of 16 bytes from global to shared memory; sm_80

__device__ __forceinline__ void copy_async(void* to_shared, const void* from_global) {
  bound_host->async_copy(to_shared, from_global);
}

// Arrives at the barrier once all asynchronous copies that this thread began have come in.
__device__ __forceinline__ void arrive_when_copied(PhaseBarrier* barrier) { bound_host->async_arrive(&barrier->word); }

// ---- bulk copies; sm_90. Addresses and sizes are multiples of 16.

// Makes phase barriers that this thread has initialised known to bulk copies.
__device__ __forceinline__ void fence_barriers_for_bulk_copies() { bound_host->bulk_fence(); }

// Makes what this thread did before (barriers initialised, shared memory written or read) known to bulk copies that
// are begun later, by this thread or, beyond a barrier, by another.
__device__ __forceinline__ void fence_for_bulk_copies() { bound_host->bulk_fence(); }

// Orders bulk stores after what this thread knows of global memory: here they are never before it.
__device__ __forceinline__ void fence_for_bulk_stores() {}

// Arrives, and announces the bytes of bulk loads.
__device__ __forceinline__ void arrive_expecting(PhaseBarrier* barrier, u32 bytes) {
  bound_host->phase_arrive(&barrier->word, bytes);
}

// Copies to shared memory; the bytes count for the barrier's phase, which must have been told to expect them.
__device__ __forceinline__ void bulk_load(void* to_shared, const void* from_global, u32 bytes, PhaseBarrier* barrier) {
  bound_host->bulk_in(to_shared, from_global, bytes, &barrier->word);
}

// The same, with data that is read but once.
__device__ __forceinline__ void bulk_load_once(void* to_shared, const void* from_global, u32 bytes,
                                               PhaseBarrier* barrier) {
  bound_host->bulk_in(to_shared, from_global, bytes, &barrier->word);
}

// Prefetches data into the L2 cache, which the host device does not have.
__device__ __forceinline__ void bulk_prefetch(const void*, u32) {}

// Copies to global memory, in the group of bulk stores that this thread has open.
__device__ __forceinline__ void bulk_store(void* to_global, const void* from_shared, u32 bytes) {
  bound_host->bulk_out(to_global, from_shared, bytes);
}

// The same, with data that is not read again soon.
__device__ __forceinline__ void bulk_store_once(void* to_global, const void* from_shared, u32 bytes) {
  bound_host->bulk_out(to_global, from_shared, bytes);
}

// Closes this thread's open group of bulk stores.
__device__ __forceinline__ void commit_bulk_stores() { bound_host->bulk_commit(); }

// Returns when all groups of this thread but the last `pending` have read their shared memory, which may then be
// written again.
template <int pending>
__device__ __forceinline__ void wait_bulk_stores_read() {
  bound_host->bulk_wait_read(pending);
}

// ---- asynchronous copies without a barrier; sm_80

// Returns when all asynchronous copies that this thread began have come in. Others see them beyond a barrier.
__device__ __forceinline__ void await_async_copies() { bound_host->async_wait(); }
