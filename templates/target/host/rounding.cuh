// Sums whose rounding is part of an algorithm. The host device compiles without contraction and without fast
// mathematics.
#pragma once

#include "target/host_macros.cuh"
#include "target/types.cuh"

__device__ __forceinline__ float add_rounded(float a, float b) { return a + b; }

__device__ __forceinline__ double add_rounded(double a, double b) { return a + b; }

__device__ __forceinline__ float subtract_rounded(float a, float b) { return a - b; }

__device__ __forceinline__ double subtract_rounded(double a, double b) { return a - b; }

__device__ __forceinline__ bool is_negative_zero(float value) {
  return __builtin_bit_cast(u32, value) == 0x80000000u;
}

__device__ __forceinline__ bool is_negative_zero(double value) {
  return __builtin_bit_cast(u64, value) == 0x8000000000000000ull;
}

__device__ __forceinline__ bool is_finite(float value) { return __builtin_fabsf(value) <= 0x1.fffffep+127f; }

__device__ __forceinline__ bool is_finite(double value) { return __builtin_fabs(value) <= 0x1.fffffffffffffp+1023; }
