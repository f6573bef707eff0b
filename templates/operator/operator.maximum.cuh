#pragma once

#include "parameters.cuh"

// The greater integer.
__device__ __forceinline__ Value combine(Value a, Value b) {
  return a < b ? b : a;
}
