// Floating-point numbers of 16 and 32 bits.
#pragma once

#include "target/types.cuh"

__device__ __forceinline__ float float_of_f16(u16 bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

__device__ __forceinline__ u16 f16_of_float(float value) {
  u16 bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

__device__ __forceinline__ float float_of_bf16(u16 bits) { return __uint_as_float(u32(bits) << 16); }

// Rounds to nearest even; NaN becomes 0x7fff. Before sm_80, there is no instruction for it.
__device__ __forceinline__ u16 bf16_of_float(float value) {
  if constexpr (__CUDA_ARCH__ >= 800) {
    u16 rounded;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded) : "f"(value));
    return rounded;
  }
  const u32 bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return u16((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// IEEE 754-2019 minimum and maximum: NaN if either is NaN, -0 below +0. (min.NaN needs sm_80 and has no f64 form.)
__device__ __forceinline__ float minimum_or_nan(float a, float b) {
  float least;
  asm("min.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
  return a != a || b != b ? a + b : least;
}

__device__ __forceinline__ double minimum_or_nan(double a, double b) {
  double least;
  asm("min.f64 %0, %1, %2;" : "=d"(least) : "d"(a), "d"(b));
  return a != a || b != b ? a + b : least;
}

__device__ __forceinline__ float maximum_or_nan(float a, float b) {
  float greatest;
  asm("max.f32 %0, %1, %2;" : "=f"(greatest) : "f"(a), "f"(b));
  return a != a || b != b ? a + b : greatest;
}

__device__ __forceinline__ double maximum_or_nan(double a, double b) {
  double greatest;
  asm("max.f64 %0, %1, %2;" : "=d"(greatest) : "d"(a), "d"(b));
  return a != a || b != b ? a + b : greatest;
}

// Arithmetic on 16-bit floating values, rounded once; sm_90.

__device__ __forceinline__ u16 add_f16(u16 a, u16 b) {
  u16 result;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

__device__ __forceinline__ u16 multiply_f16(u16 a, u16 b) {
  u16 result;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

__device__ __forceinline__ u16 add_bf16(u16 a, u16 b) {
  u16 result;
  asm("add.rn.bf16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

__device__ __forceinline__ u16 multiply_bf16(u16 a, u16 b) {
  u16 result;
  asm("mul.rn.bf16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

// IEEE 754-2019 minimum and maximum by one instruction: NaN if either is NaN, -0 below +0; sm_80.

__device__ __forceinline__ u16 minimum_f16(u16 a, u16 b) {
  u16 result;
  asm("min.NaN.f16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

__device__ __forceinline__ u16 maximum_f16(u16 a, u16 b) {
  u16 result;
  asm("max.NaN.f16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

__device__ __forceinline__ u16 minimum_bf16(u16 a, u16 b) {
  u16 result;
  asm("min.NaN.bf16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

__device__ __forceinline__ u16 maximum_bf16(u16 a, u16 b) {
  u16 result;
  asm("max.NaN.bf16 %0, %1, %2;" : "=h"(result) : "h"(a), "h"(b));
  return result;
}

__device__ __forceinline__ float minimum_f32(float a, float b) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

__device__ __forceinline__ float maximum_f32(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
