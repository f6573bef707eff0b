// Division of numbers that are mostly small.
#pragma once

#include "target/cuda.cuh"

// a / b. A division of 32 bits takes a fraction of the time of one of 64.
__device__ __forceinline__ u64 divided(u64 a, u64 b) { return ((a | b) >> 32) == 0 ? u64(u32(a) / u32(b)) : a / b; }
