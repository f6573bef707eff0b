// Items combine to the number of their results.
#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Accumulator combine(Accumulator a, Accumulator b) { return a + b; }

__device__ __forceinline__ Accumulator widen(Local local) { return local; }

__device__ __forceinline__ u64 slots_of(Accumulator fold) { return fold; }

// A tile's exclusive prefix, for use within the tile. Its count is 0, because the items of a tile count the
// results of their own tile only.
__device__ __forceinline__ Local within_tile(Accumulator) { return 0; }
