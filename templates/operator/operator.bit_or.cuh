#pragma once

#include "parameters.cuh"

// Bitwise or.
__device__ __forceinline__ Value combine(Value a, Value b) {
  return Value(a | b);
}
