#pragma once

#include "parameters.cuh"

// The greater integer.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return a < b ? b : a;
}
