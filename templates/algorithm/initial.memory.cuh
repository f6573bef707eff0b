#pragma once

#include "parameters.cuh"

// The initial value, from its argument: the value's address. Call it after await_previous_kernel().
template <typename Argument>
__device__ __forceinline__ Accumulator initial_value(const Argument& address) {
  return *address;
}
