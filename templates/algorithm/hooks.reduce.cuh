// Reduce: the one result is the fold of the initial value and all items.
#pragma once

#include "parameters.cuh"

// Writes the result, from the fold of the initial value and all items; called once, by one thread.
__device__ __forceinline__ void finish(Output* out, Accumulator total) { *out = Output(total); }
