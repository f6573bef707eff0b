// Difference of complex values.
#pragma once

#include "value/complex.cuh"
#include "parameters.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return {a.real - b.real, a.imaginary - b.imaginary}; }
