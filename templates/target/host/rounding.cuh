// Sums whose rounding is part of an algorithm. Through memory, so that compilers neither contract nor reassociate them,
// whatever the options.
#pragma once

#include "target/host_macros.cuh"
#include "target/types.cuh"

__device__ __forceinline__ float add_rounded(float a, float b) {
  volatile float sum = a + b;
  return sum;
}

__device__ __forceinline__ double add_rounded(double a, double b) {
  volatile double sum = a + b;
  return sum;
}

__device__ __forceinline__ float subtract_rounded(float a, float b) {
  volatile float difference = a - b;
  return difference;
}

__device__ __forceinline__ double subtract_rounded(double a, double b) {
  volatile double difference = a - b;
  return difference;
}

// By the bits: fast mathematics knows no infinities, no NaN, and no sign of a zero.

__device__ __forceinline__ bool is_negative_zero(float value) { return __builtin_bit_cast(u32, value) == 0x80000000u; }

__device__ __forceinline__ bool is_negative_zero(double value) {
  return __builtin_bit_cast(u64, value) == 0x8000000000000000ull;
}

__device__ __forceinline__ bool is_nan(float value) {
  return (__builtin_bit_cast(u32, value) & 0x7fffffffu) > 0x7f800000u;
}

__device__ __forceinline__ bool is_nan(double value) {
  return (__builtin_bit_cast(u64, value) & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

__device__ __forceinline__ bool is_finite(float value) {
  return (__builtin_bit_cast(u32, value) & 0x7f800000u) != 0x7f800000u;
}

__device__ __forceinline__ bool is_finite(double value) {
  return (__builtin_bit_cast(u64, value) & 0x7ff0000000000000ull) != 0x7ff0000000000000ull;
}
