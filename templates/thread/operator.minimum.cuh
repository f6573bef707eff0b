#pragma once

#include "parameters.cuh"

// The lesser integer.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return b < a ? b : a;
}
