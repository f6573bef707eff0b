// A 16-bit floating value: stored as bits, computed with as float.
#pragma once

#include "target/cuda/floating.cuh"

// bfloat16, the upper half of a binary32.
struct bf16 {
  u16 bits;
  bf16() = default;
  __device__ __forceinline__ explicit bf16(float value) : bits(bf16_of_float(value)) {}
  __device__ __forceinline__ operator float() const { return float_of_bf16(bits); }
};
