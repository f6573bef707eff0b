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

// Where the product is a number of the type, or too small to change a sum of this size.
__device__ __forceinline__ float multiply_add_rounded(float a, float b, float c) {
  volatile float product = a * b;
  return add_rounded(product, c);
}

__device__ __forceinline__ double multiply_add_rounded(double a, double b, double c) {
  volatile double product = a * b;
  return add_rounded(product, c);
}

// The bits of a number, and those of its upper word.
__device__ __forceinline__ u32 bits_of(float value) { return __builtin_bit_cast(u32, value); }

__device__ __forceinline__ u64 bits_of(double value) { return __builtin_bit_cast(u64, value); }

__device__ __forceinline__ u32 upper_bits(float value) { return __builtin_bit_cast(u32, value); }

__device__ __forceinline__ u32 upper_bits(double value) { return u32(__builtin_bit_cast(u64, value) >> 32); }

__device__ __forceinline__ float part_of_bits(u32 bits) { return __builtin_bit_cast(float, bits); }

__device__ __forceinline__ double part_of_bits(u64 bits) { return __builtin_bit_cast(double, bits); }

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

constexpr bool has_fast_f64 = true;
