// A 16-bit floating value: stored as bits, computed with as float.
#pragma once

#include "target/cuda/floating.cuh"

// IEEE 754 binary16.
struct f16 {
  u16 bits;
  f16() = default;
  __device__ __forceinline__ explicit f16(float value) : bits(f16_of_float(value)) {}
  __device__ __forceinline__ operator float() const { return float_of_f16(bits); }
};
