#pragma once

#include "parameters.cuh"

// The later value, unless it is zero. Does not commute.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return b != Accumulator(0) ? b : a;
}
