// Folds this thread's share of a whole tile, in any order.
#pragma once

#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/load_striped.direct.cuh"

__device__ __forceinline__ Accumulator fold_striped(const Input* from) {
  Input items[items_per_thread];
  load_striped(from, items);
  Accumulator folded = lift(items[0]);
#pragma unroll
  for (int i = 1; i < items_per_thread; ++i) folded = combine(folded, lift(items[i]));
  return folded;
}
