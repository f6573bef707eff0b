// The block's shared memory; more than a kernel can have statically.
#pragma once

#include "target/cuda.cuh"

template <typename T>
__device__ __forceinline__ T& block_storage() {
  return dynamic_shared<T>();
}
