// Greater of two. Of the 32-bit integers of a warp, by one instruction.
#pragma once

#include "parameters.cuh"

// All lanes call and get the fold of their values.
__device__ __forceinline__ Accumulator redux(Accumulator value) { return Accumulator(redux_max(value)); }
