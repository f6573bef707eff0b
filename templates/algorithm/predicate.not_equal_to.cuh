#pragma once

#include "parameters.cuh"

// Whether an item differs from the threshold. A NaN differs from everything, and -0 equals +0.
__device__ __forceinline__ bool holds(Input item, Input threshold) {
  return item != threshold;
}
