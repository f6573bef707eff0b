// The kernels before and after in the stream, and clusters of blocks.
#pragma once

#include "target/host_interface.cuh"
#include "target/types.cuh"

// ---- the kernels before and after in the stream; sm_90

// Once a thread of each block has called it or ended, the next kernel's blocks may start.
__device__ __forceinline__ void let_next_kernel_start() { bound_host->announce(); }

// Returns when all blocks of the kernel before have ended; what they wrote is seen.
__device__ __forceinline__ void wait_for_previous_kernel() { bound_host->await_previous(); }

// ---- clusters: neighbouring blocks that run at the same time and see each other's shared memory; sm_90

// This block's place in its cluster.
__device__ __forceinline__ u32 cluster_rank() { return bound_host->position()->rank; }

// All threads of the cluster arrive, then wait; what each wrote to any shared memory before arriving is seen by the
// others after waiting. Between the two a thread may do something else.
__device__ __forceinline__ void cluster_arrive() { bound_host->arrive_at_cluster(); }

__device__ __forceinline__ void cluster_wait() { bound_host->wait_for_cluster(); }

// The same object in the shared memory of another block of the cluster.
template <typename T>
__device__ __forceinline__ T* remote_shared(T* own, u32 rank) {
  return static_cast<T*>(bound_host->shared_of_rank(own, rank));
}
