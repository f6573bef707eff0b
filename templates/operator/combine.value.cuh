#pragma once

#include "parameters.cuh"
#include "operator/operator.plus.cuh"

// Items combine to a value: by the operator alone. What tiles exchange is of the same type.
__device__ __forceinline__ Accumulator widen(Local local) {
  return Accumulator(local);
}
