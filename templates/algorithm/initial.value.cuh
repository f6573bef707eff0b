#pragma once

#include "parameters.cuh"

// The initial value, from its argument: the value. Call it after await_previous_kernel().
template <typename Argument>
__device__ __forceinline__ Accumulator initial_value(const Argument& value) {
  return value;
}
