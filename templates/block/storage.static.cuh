// The block's shared memory.
#pragma once

#include "target/cuda.cuh"

template <typename T>
__device__ __forceinline__ T& block_storage() {
  return static_shared<T>();
}
