#pragma once

#include "parameters.cuh"

// What stands before the first item, if has_initial: the initial value.
__device__ __forceinline__ Accumulator initial_of(const Scalars& scalars) {
  return scalars.initial;
}
