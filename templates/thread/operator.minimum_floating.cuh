#pragma once

#include "parameters.cuh"

// IEEE 754-2019 minimum: NaN if either is, -0 below +0.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return Accumulator(minimum_or_nan(Floating(a), Floating(b)));
}
