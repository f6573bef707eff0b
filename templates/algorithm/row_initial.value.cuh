// Exclusive scans of rows begin with the initial value. The result at an item's place is the fold before it.
#pragma once

#include "parameters.cuh"

constexpr bool rows_have_initial = true;

__device__ __forceinline__ Value row_initial_of(const Scalars& scalars) { return scalars.initial; }
