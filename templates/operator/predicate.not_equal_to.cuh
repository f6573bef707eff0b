// Whether an item differs from the threshold. A NaN differs from everything, and -0 equals +0.
#pragma once

#include "parameters.cuh"

template <typename T>
__device__ __forceinline__ bool holds(const T& item, const T& threshold) {
  return item != threshold;
}
