// Composition of affine maps. Does not commute.
#pragma once

#include "parameters.cuh"

constexpr int half_bits = sizeof(Value) * 4;

// Composition of maps x -> m x + c modulo 2^half_bits, m in the high half and c in the low: first a, then b.
__device__ __forceinline__ Value combine(Value a, Value b) {
  const Value mask = (Value(1) << half_bits) - 1;
  const Value slope_a = a >> half_bits, offset_a = a & mask;
  const Value slope_b = b >> half_bits, offset_b = b & mask;
  return (slope_a * slope_b) << half_bits | ((slope_b * offset_a + offset_b) & mask);
}
