// Copies between global and shared memory that go on while the thread does something else.
#pragma once

#include "target/cuda/shared_memory.cuh"
#include "target/cuda/phase_barriers.cuh"
#include "target/types.cuh"

// ---- asynchronous copies of 16 bytes from global to shared memory (PTX: cp.async); sm_80

__device__ __forceinline__ void copy_async(void* to_shared, const void* from_global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to_shared)), "l"(from_global)
               : "memory");
}

// Arrives at the barrier once all asynchronous copies that this thread began have come in.
__device__ __forceinline__ void arrive_when_copied(PhaseBarrier* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// ---- bulk copies (PTX: cp.async.bulk); sm_90. Addresses and sizes are multiples of 16.

// Makes phase barriers that this thread has initialised known to bulk copies.
__device__ __forceinline__ void fence_barriers_for_bulk_copies() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Makes what this thread did to shared memory known to bulk copies that are begun later, by this thread or, beyond a
// barrier, by another.
__device__ __forceinline__ void fence_for_bulk_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Orders bulk stores that this thread begins later after what it knows of global memory, through fences and barriers:
// these order the accesses of threads, and bulk copies only beyond a proxy fence (PTX ISA, "Async proxy").
__device__ __forceinline__ void fence_for_bulk_stores() { asm volatile("fence.proxy.async.global;" ::: "memory"); }

// Arrives, and announces the bytes of bulk loads.
__device__ __forceinline__ void arrive_expecting(PhaseBarrier* barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}

// Copies to shared memory; the bytes count for the barrier's phase, which must have been told to expect them.
__device__ __forceinline__ void bulk_load(void* to_shared, const void* from_global, u32 bytes, PhaseBarrier* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to_shared)),
               "l"(from_global), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}

// The same, with data that is read but once: first to be evicted from the L2 cache.
__device__ __forceinline__ void bulk_load_once(void* to_shared, const void* from_global, u32 bytes,
                                               PhaseBarrier* barrier) {
  asm volatile(
      "{\n.reg .b64 policy;\ncreatepolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], "
      "policy;\n}" ::"r"(shared_address(to_shared)),
      "l"(from_global), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// Prefetches data into the L2 cache.
__device__ __forceinline__ void bulk_prefetch(const void* from_global, u32 bytes) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from_global), "r"(bytes) : "memory");
}

// Copies to global memory, in the group of bulk stores that this thread has open.
__device__ __forceinline__ void bulk_store(void* to_global, const void* from_shared, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to_global),
               "r"(shared_address(from_shared)), "r"(bytes)
               : "memory");
}

// The same, with data that is not read again soon: first to be evicted from the L2 cache.
__device__ __forceinline__ void bulk_store_once(void* to_global, const void* from_shared, u32 bytes) {
  asm volatile(
      "{\n.reg .b64 policy;\ncreatepolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, policy;\n}" ::"l"(to_global),
      "r"(shared_address(from_shared)), "r"(bytes)
      : "memory");
}

// Closes this thread's open group of bulk stores.
__device__ __forceinline__ void commit_bulk_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// Returns when all groups of this thread but the last `pending` have read their shared memory, which may then be
// written again.
template <int pending>
__device__ __forceinline__ void wait_bulk_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

// ---- asynchronous copies without a barrier; sm_80

// Returns when all asynchronous copies that this thread began have come in. Others see them beyond a barrier.
__device__ __forceinline__ void await_async_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
