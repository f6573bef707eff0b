#pragma once

#include "parameters.cuh"

// The lesser of what the halves of two words hold.
__device__ __forceinline__ u32 combine_halves(u32 a, u32 b) {
  return minimum_halves(a, b, Input());
}

// The greatest value: it changes no minimum.
constexpr Input neutral = Input(-1) > Input(0) ? Input(-1) : Input((1u << (8 * sizeof(Input) - 1)) - 1);
