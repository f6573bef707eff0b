#pragma once

#include "parameters.cuh"

// Product; integers wrap.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return Accumulator(Arithmetic(a) * Arithmetic(b));
}
