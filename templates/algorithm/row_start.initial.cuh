// Exclusive sums of rows begin with the initial value. The result at an item's place is the sum before it.
#pragma once

#include "algorithm/start.initial.cuh"
#include "parameters.cuh"

constexpr bool emits_before = true;

__device__ __forceinline__ u32 row_start(const Scalars& scalars) { return u32(scalars.initial); }
