// Whether an item equals the threshold. A NaN equals nothing, and -0 equals +0.
#pragma once

#include "parameters.cuh"

template <typename T>
__device__ __forceinline__ bool holds(const T& item, const T& threshold) {
  return !(item != threshold);
}
