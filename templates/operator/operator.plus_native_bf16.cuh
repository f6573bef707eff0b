// Sum. By one instruction.
#pragma once

#include "parameters.cuh"
#include "target/cuda/floating.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) {
  Value result;
  result.bits = add_bf16(a.bits, b.bits);
  return result;
}
