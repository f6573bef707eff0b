// A generated source has its own text in this place, made from the arrays of the problem. Here, those of select_if.
#pragma once

#include "parameters.cuh"
#include "pipeline/span.cuh"

// Stores a result to each array.
__device__ __forceinline__ void store_result(const Span& span, u64 slot, const Result& result) {
  span.out[slot] = result.out;
}
