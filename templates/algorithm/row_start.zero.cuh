// Inclusive sums of rows begin with nothing.
#pragma once

#include "parameters.cuh"

constexpr bool emits_before = false;

__device__ __forceinline__ u32 row_start(const Scalars&) { return 0; }
