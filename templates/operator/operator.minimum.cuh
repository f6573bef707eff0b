#pragma once

#include "parameters.cuh"

// The lesser integer.
__device__ __forceinline__ Value combine(Value a, Value b) {
  return b < a ? b : a;
}
