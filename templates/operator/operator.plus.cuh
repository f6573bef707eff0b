#pragma once

#include "parameters.cuh"

// Sum; integers wrap.
__device__ __forceinline__ Value combine(Value a, Value b) {
  return Value(Arithmetic(a) + Arithmetic(b));
}
