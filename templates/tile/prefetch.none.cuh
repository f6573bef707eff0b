// No prefetch.
#pragma once

#include "parameters.cuh"

template <int items, typename T>
__device__ __forceinline__ void prefetch_tile(const T*, u64, u64) {}
