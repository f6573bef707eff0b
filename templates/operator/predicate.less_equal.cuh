// Whether an item is at most the threshold.
#pragma once

#include "parameters.cuh"

template <typename T>
__device__ __forceinline__ bool holds(const T& item, const T& threshold) {
  return item <= threshold;
}
