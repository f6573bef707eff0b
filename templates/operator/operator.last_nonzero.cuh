// The later value, unless it is zero. Does not commute.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return b != Value(0) ? b : a; }
