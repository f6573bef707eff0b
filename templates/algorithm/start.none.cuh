// The first item has no exclusive prefix: the value is not used.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Accumulator initial_of(const Scalars&) {
  Accumulator unused;
  return unused;
}
