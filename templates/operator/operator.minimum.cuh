// The lesser integer.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return b < a ? b : a; }
