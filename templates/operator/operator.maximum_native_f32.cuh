// IEEE 754-2019 maximum: NaN if either is, -0 below +0. By one instruction.
#pragma once

#include "parameters.cuh"
#include "target/cuda/floating.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return maximum_f32(a, b); }
