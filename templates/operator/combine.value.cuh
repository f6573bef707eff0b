// Items combine to a value: by the operator alone. What tiles exchange is of the same type.
#pragma once

#include "parameters.cuh"
#include "operator/operator.plus.cuh"

__device__ __forceinline__ Accumulator widen(Local local) { return Accumulator(local); }
