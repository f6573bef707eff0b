#pragma once

#include "parameters.cuh"

// Bitwise exclusive or.
__device__ __forceinline__ Value combine(Value a, Value b) {
  return Value(a ^ b);
}
