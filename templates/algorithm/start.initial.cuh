// The exclusive prefix of the first item: the initial value.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Accumulator initial_of(const Scalars& scalars) { return scalars.initial; }
