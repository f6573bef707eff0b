// Floating-point numbers of 16 and 32 bits.
#pragma once

#include "target/host_macros.cuh"
#include "target/types.cuh"

// Exact. The mantissa of a subnormal counts multiples of 2^-24.
__device__ __forceinline__ float float_of_f16(u16 bits) {
  const u32 sign = u32(bits & 0x8000u) << 16;
  const u32 exponent = bits >> 10 & 0x1fu;
  const u32 mantissa = bits & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = float(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const u32 wide_exponent = exponent == 31 ? 255 : exponent + 112;
  return __builtin_bit_cast(float, sign | wide_exponent << 23 | mantissa << 13);
}

// Rounds to nearest even; any NaN becomes 0x7fff, as by cvt.rn.f16.f32.
__device__ __forceinline__ u16 f16_of_float(float value) {
  const u32 bits = __builtin_bit_cast(u32, value);
  const u32 sign = bits >> 16 & 0x8000u;
  const u32 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x47800000u) return u16(sign | 0x7c00u);  // from 2^16 on
  if (magnitude < 0x33000000u) return u16(sign);             // below half of the least subnormal, 2^-24
  const u32 exponent = magnitude >> 23;
  const bool subnormal = exponent < 113;
  const u32 significand = subnormal ? (magnitude & 0x7fffffu) | 0x800000u : magnitude - (112u << 23);
  const u32 dropped = subnormal ? 126 - exponent : 13;
  const u32 below_half = (1u << (dropped - 1)) - 1;
  // A carry out of the mantissa raises the exponent, up to infinity.
  return u16(sign | (significand + below_half + (significand >> dropped & 1u)) >> dropped);
}

__device__ __forceinline__ float float_of_bf16(u16 bits) { return __builtin_bit_cast(float, u32(bits) << 16); }

// Rounds to nearest even; NaN becomes 0x7fff, as on GPUs.
__device__ __forceinline__ u16 bf16_of_float(float value) {
  const u32 bits = __builtin_bit_cast(u32, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return u16((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// IEEE 754-2019 minimum and maximum: NaN if either is NaN, -0 below +0.
__device__ __forceinline__ float minimum_or_nan(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}

__device__ __forceinline__ double minimum_or_nan(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}

__device__ __forceinline__ float maximum_or_nan(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}

__device__ __forceinline__ double maximum_or_nan(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}

// Arithmetic on 16-bit floating values: binary32 has more than twice the digits, so rounding twice is rounding once.

__device__ __forceinline__ u16 add_f16(u16 a, u16 b) { return f16_of_float(float_of_f16(a) + float_of_f16(b)); }

__device__ __forceinline__ u16 multiply_f16(u16 a, u16 b) { return f16_of_float(float_of_f16(a) * float_of_f16(b)); }

__device__ __forceinline__ u16 add_bf16(u16 a, u16 b) { return bf16_of_float(float_of_bf16(a) + float_of_bf16(b)); }

__device__ __forceinline__ u16 multiply_bf16(u16 a, u16 b) {
  return bf16_of_float(float_of_bf16(a) * float_of_bf16(b));
}

// IEEE 754-2019 minimum and maximum.

__device__ __forceinline__ u16 minimum_f16(u16 a, u16 b) {
  return f16_of_float(minimum_or_nan(float_of_f16(a), float_of_f16(b)));
}

__device__ __forceinline__ u16 maximum_f16(u16 a, u16 b) {
  return f16_of_float(maximum_or_nan(float_of_f16(a), float_of_f16(b)));
}

__device__ __forceinline__ u16 minimum_bf16(u16 a, u16 b) {
  return bf16_of_float(minimum_or_nan(float_of_bf16(a), float_of_bf16(b)));
}

__device__ __forceinline__ u16 maximum_bf16(u16 a, u16 b) {
  return bf16_of_float(maximum_or_nan(float_of_bf16(a), float_of_bf16(b)));
}

__device__ __forceinline__ float minimum_f32(float a, float b) { return minimum_or_nan(a, b); }

__device__ __forceinline__ float maximum_f32(float a, float b) { return maximum_or_nan(a, b); }
