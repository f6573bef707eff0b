// Where a thread stands, and the barriers of its block and warp.
#pragma once

#include "target/types.cuh"

__device__ __forceinline__ int thread_index() { return threadIdx.x; }

__device__ __forceinline__ int lane_index() { return threadIdx.x % warp_size; }

__device__ __forceinline__ int warp_index() { return threadIdx.x / warp_size; }

__device__ __forceinline__ u32 block_index() { return blockIdx.x; }

__device__ __forceinline__ u32 grid_size() { return gridDim.x; }

// All threads of the block arrive; what each wrote to shared or global memory before is seen by the others after.
__device__ __forceinline__ void block_barrier() { __syncthreads(); }

// The same for the 32 lanes of a warp.
__device__ __forceinline__ void warp_barrier() { __syncwarp(); }

// block_barrier() behind which the block stores to where it or another block has loaded from.
__device__ __forceinline__ void barrier_before_stores() { block_barrier(); }
