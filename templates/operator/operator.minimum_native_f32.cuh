// IEEE 754-2019 minimum: NaN if either is, -0 below +0. By one instruction.
#pragma once

#include "parameters.cuh"
#include "target/cuda/floating.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) { return minimum_f32(a, b); }
