// The greater integer.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return a < b ? b : a; }
