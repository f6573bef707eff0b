// Product. By one instruction.
#pragma once

#include "parameters.cuh"
#include "target/cuda/floating.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) {
  Value result;
  result.bits = multiply_f16(a.bits, b.bits);
  return result;
}
