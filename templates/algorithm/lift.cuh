// What an item contributes: its value, in the type of the computation.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Accumulator lift(Input item) { return Accumulator(item); }
