// Segmented scan (Blelloch, "Prefix Sums and Their Applications", 1990, section 1.5): values combine up to the item
// with which the next segment begins.
#pragma once

#include "value/flagged.cuh"
#include "parameters.cuh"
#include "operator/operator.plus.cuh"

__device__ __forceinline__ Flagged<Value> combine(const Flagged<Value>& a, const Flagged<Value>& b) {
  const Value both = combine(a.value, b.value);  // always: a branch that lanes take differently costs more
  return {b.begins != 0 ? b.value : both, a.begins | b.begins};
}

// Tiles exchange what items combine to.
__device__ __forceinline__ Flagged<Value> widen(const Flagged<Value>& local) { return local; }

// A tile's exclusive prefix, for use within the tile.
__device__ __forceinline__ Flagged<Value> within_tile(const Flagged<Value>& prefix) { return prefix; }
