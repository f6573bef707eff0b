// Where a thread stands, and the barriers of its block and warp.
#pragma once

#include "target/host_interface.cuh"
#include "target/types.cuh"

__device__ __forceinline__ int thread_index() { return int(bound_host->position()->thread); }

__device__ __forceinline__ int lane_index() { return thread_index() % warp_size; }

__device__ __forceinline__ int warp_index() { return thread_index() / warp_size; }

__device__ __forceinline__ u32 block_index() { return bound_host->position()->block; }

__device__ __forceinline__ u32 grid_size() { return bound_host->position()->blocks; }

// All threads of the block arrive; what each wrote to shared or global memory before is seen by the others after.
__device__ __forceinline__ void block_barrier() { bound_host->block_barrier(); }

// The same for the 32 lanes of a warp.
__device__ __forceinline__ void warp_barrier() { bound_host->warp_barrier(); }

// block_barrier() behind which the block stores to where it or another block has loaded from.
__device__ __forceinline__ void barrier_before_stores() { bound_host->barrier_before_stores(); }
