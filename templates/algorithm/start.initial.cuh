#pragma once

#include "parameters.cuh"

// The exclusive prefix of the first item: the initial value.
__device__ __forceinline__ Accumulator initial_of(const Scalars& scalars) {
  return scalars.initial;
}
