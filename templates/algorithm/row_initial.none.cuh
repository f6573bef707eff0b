// Inclusive scans of rows begin with nothing: the value is not used.
#pragma once

#include "parameters.cuh"

constexpr bool rows_have_initial = false;

__device__ __forceinline__ Value row_initial_of(const Scalars&) {
  Value unused;
  return unused;
}
