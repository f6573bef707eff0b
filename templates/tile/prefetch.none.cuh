#pragma once

#include "parameters.cuh"

// Nothing is asked for before a tile is claimed.
__device__ __forceinline__ void prefetch_some_tile(const Input*, u64) {}
