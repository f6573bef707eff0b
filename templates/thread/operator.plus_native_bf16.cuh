#pragma once

#include "parameters.cuh"

// Sum. By one instruction.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  Accumulator result;
  result.bits = add_bf16(a.bits, b.bits);
  return result;
}
