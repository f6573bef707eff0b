#pragma once

#include "target/cuda.cuh"

// The block's shared memory.
template <typename T>
__device__ __forceinline__ T& block_storage() {
  return static_shared<T>();
}
