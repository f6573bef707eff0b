#pragma once

#include "parameters.cuh"

// Sum; integers wrap.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return Accumulator(Arithmetic(a) + Arithmetic(b));
}
