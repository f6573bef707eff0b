// Reduce: the one result is the fold of the initial value and all items.
#pragma once

#include "parameters.cuh"

// The initial value stands before the first item.
constexpr bool has_initial = true;

// Writes what is known only at the end, from the fold of all; once, by one thread.
__device__ __forceinline__ void finish(Output* out, const Accumulator& total) {
  *out = Output(total);
}
