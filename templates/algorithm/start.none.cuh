#pragma once

#include "parameters.cuh"

// Nothing stands before the first item: the value is not used.
__device__ __forceinline__ Accumulator initial_of(const Scalars&) {
  Accumulator unused;
  return unused;
}
