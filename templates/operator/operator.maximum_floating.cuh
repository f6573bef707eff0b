// IEEE 754-2019 maximum: NaN if either is, -0 below +0.
#pragma once

#include "parameters.cuh"
#include "target/cuda/floating.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return Value(maximum_or_nan(Floating(a), Floating(b))); }
