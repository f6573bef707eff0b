#pragma once

#include "parameters.cuh"

// Items combine to the number of their results.
__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) {
  return a + b;
}

__device__ __forceinline__ Accumulator widen(Local local) {
  return local;
}

__device__ __forceinline__ u64 slots_of(Accumulator fold) {
  return fold;
}

// What stands before a tile, as the tile's items see it: they count results from the tile's first one on.
__device__ __forceinline__ Local within_tile(Accumulator) {
  return 0;
}
