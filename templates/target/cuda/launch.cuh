// The kernels before and after in the stream, and clusters of blocks.
#pragma once

#include "target/types.cuh"

// ---- the kernels before and after in the stream (PTX: griddepcontrol); sm_90

// The next kernel of the stream may be started once all blocks have called this, if it was launched so.
__device__ __forceinline__ void let_next_kernel_start() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// Returns when the kernels before are done and what they wrote is seen. Nothing global may be touched before.
__device__ __forceinline__ void wait_for_previous_kernel() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

// ---- clusters: neighbouring blocks that run at the same time and see each other's shared memory; sm_90

// This block's place in its cluster.
__device__ __forceinline__ u32 cluster_rank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// All threads of the cluster arrive, then wait; what each wrote to any shared memory before arriving is seen by the
// others after waiting. Between the two a thread may do something else.
__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// The same object in the shared memory of another block of the cluster.
template <typename T>
__device__ __forceinline__ T* remote_shared(T* own, u32 rank) {
  u64 address;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(own), "r"(rank));
  return reinterpret_cast<T*>(address);
}
