#pragma once

#include "parameters.cuh"

// Bitwise and.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return Accumulator(a & b);
}
