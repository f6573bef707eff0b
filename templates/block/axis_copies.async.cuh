// Copies of a block's threads to shared memory by asynchronous copies of 16 bytes.
#pragma once

#include "target/cuda.cuh"

// Begins to copy a thread's `count` vectors, which are so many vectors apart.
__device__ __forceinline__ void copy_vectors(Vector<16>* to, int to_step, const Vector<16>* from, u64 from_step,
                                             int count) {
#pragma unroll 4
  for (int i = 0; i < count; ++i) copy_async(to + i * to_step, from + u64(i) * from_step);
}

// Returns when the thread's vectors have come in. Others see them beyond a barrier.
__device__ __forceinline__ void await_vectors() { await_async_copies(); }
