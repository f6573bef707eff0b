// Segmented scan (Blelloch, "Prefix Sums and Their Applications", 1990, section 1.5): values combine up to the next
// result, where a new fold begins.
#pragma once

#include "value/counted.cuh"
#include "parameters.cuh"
#include "operator/operator.plus.cuh"

template <typename Count>
__device__ __forceinline__ Counted<Count, Value> combine(const Counted<Count, Value>& a,
                                                         const Counted<Count, Value>& b) {
  const Value both = combine(a.value, b.value);  // always: a branch that lanes take differently costs more
  return {a.count + b.count, b.count != 0 ? b.value : both};
}

// Counts within a tile fit in 32 bits, those of all tiles do not.
__device__ __forceinline__ Counted<u64, Value> widen(const Counted<u32, Value>& local) {
  return {local.count, local.value};
}

template <typename Count>
__device__ __forceinline__ u64 slots_of(const Counted<Count, Value>& fold) {
  return fold.count;
}

// A tile's exclusive prefix, for use within the tile. Its count is 0, because the items of a tile count the
// results of their own tile only.
__device__ __forceinline__ Counted<u32, Value> within_tile(const Counted<u64, Value>& prefix) {
  return {0, prefix.value};
}
