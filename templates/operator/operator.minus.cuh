// Difference; integers wrap.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return Value(Arithmetic(a) - Arithmetic(b)); }
