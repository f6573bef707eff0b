// Sums whose rounding is part of an algorithm. Compilers neither contract nor reassociate them, and they keep subnormal
// numbers, whatever the options.
#pragma once

#include "target/types.cuh"

__device__ __forceinline__ float add_rounded(float a, float b) {
  float sum;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
  return sum;
}

__device__ __forceinline__ double add_rounded(double a, double b) {
  double sum;
  asm("add.rn.f64 %0, %1, %2;" : "=d"(sum) : "d"(a), "d"(b));
  return sum;
}

__device__ __forceinline__ float subtract_rounded(float a, float b) {
  float difference;
  asm("sub.rn.f32 %0, %1, %2;" : "=f"(difference) : "f"(a), "f"(b));
  return difference;
}

__device__ __forceinline__ double subtract_rounded(double a, double b) {
  double difference;
  asm("sub.rn.f64 %0, %1, %2;" : "=d"(difference) : "d"(a), "d"(b));
  return difference;
}

__device__ __forceinline__ float multiply_add_rounded(float a, float b, float c) {
  float sum;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
  return sum;
}

__device__ __forceinline__ double multiply_add_rounded(double a, double b, double c) {
  double sum;
  asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(sum) : "d"(a), "d"(b), "d"(c));
  return sum;
}

// The bits of a number, and those of its upper word.
__device__ __forceinline__ u32 bits_of(float value) { return __float_as_uint(value); }

__device__ __forceinline__ u64 bits_of(double value) { return u64(__double_as_longlong(value)); }

__device__ __forceinline__ u32 upper_bits(float value) { return __float_as_uint(value); }

__device__ __forceinline__ u32 upper_bits(double value) { return u32(__double2hiint(value)); }

__device__ __forceinline__ float part_of_bits(u32 bits) { return __uint_as_float(bits); }

__device__ __forceinline__ double part_of_bits(u64 bits) { return __longlong_as_double(i64(bits)); }

__device__ __forceinline__ bool is_negative_zero(float value) { return __float_as_uint(value) == 0x80000000u; }

__device__ __forceinline__ bool is_negative_zero(double value) {
  return u64(__double_as_longlong(value)) == 0x8000000000000000ull;
}

__device__ __forceinline__ bool is_nan(float value) { return value != value; }

__device__ __forceinline__ bool is_nan(double value) { return value != value; }

__device__ __forceinline__ bool is_finite(float value) { return fabsf(value) <= 0x1.fffffep+127f; }

__device__ __forceinline__ bool is_finite(double value) { return fabs(value) <= 0x1.fffffffffffffp+1023; }

// Whether f64 is added at half the rate of f32, and not at a small fraction of it.
constexpr bool has_fast_f64 = __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000;
