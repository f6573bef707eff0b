#pragma once

#include "parameters.cuh"

// The initial value from its argument, which is the value. After the wait for the kernel before this one.
template <typename Argument>
__device__ __forceinline__ Accumulator initial_value(const Argument& value) {
  return value;
}
