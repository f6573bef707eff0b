// Copies of a block's threads to shared memory through registers.
#pragma once

#include "thread/load_units.cuh"

// Copies a thread's `count` vectors, which are so many vectors apart.
__device__ __forceinline__ void copy_vectors(Vector<16>* to, int to_step, const Vector<16>* from, u64 from_step,
                                             int count) {
  load_units(to, to_step, from, from_step, count);
}

__device__ __forceinline__ void await_vectors() {}
