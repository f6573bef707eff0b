#pragma once

#include "parameters.cuh"

// Nothing is asked for ahead of time.
template <int items>
__device__ __forceinline__ void prefetch_tile(const Input*, u64, u64) {}
