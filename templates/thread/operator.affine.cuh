#pragma once

#include "parameters.cuh"

constexpr int half_bits = sizeof(Accumulator) * 4;

// Composition of maps x -> m x + c modulo 2^half_bits, m in the high half and c in the low: first a, then b.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  const Accumulator mask = (Accumulator(1) << half_bits) - 1;
  const Accumulator slope_a = a >> half_bits, offset_a = a & mask;
  const Accumulator slope_b = b >> half_bits, offset_b = b & mask;
  return (slope_a * slope_b) << half_bits | ((slope_b * offset_a + offset_b) & mask);
}
