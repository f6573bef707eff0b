#pragma once

#include "parameters.cuh"

// Whether an item equals the threshold. A NaN equals nothing, and -0 equals +0.
__device__ __forceinline__ bool holds(Input item, Input threshold) {
  return !(item != threshold);
}
