// Minimum of packed 16x2 values.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ u32 combine_16x2(u32 a, u32 b) { return minimum_16x2(a, b, Input()); }

// The identity of the minimum: the greatest value.
constexpr Input identity = Input(-1) > Input(0) ? Input(-1) : Input((1u << (8 * sizeof(Input) - 1)) - 1);
