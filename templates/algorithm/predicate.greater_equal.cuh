#pragma once

#include "parameters.cuh"

// Whether an item is at least the threshold.
__device__ __forceinline__ bool holds(Input item, Input threshold) {
  return item >= threshold;
}
