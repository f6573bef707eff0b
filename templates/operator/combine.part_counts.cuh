// Items combine to the number of items of each part.
#pragma once

#include "value/part_counts.cuh"
#include "parameters.cuh"

template <typename Count>
__device__ __forceinline__ PartCounts<Count> combine(const PartCounts<Count>& a, const PartCounts<Count>& b) {
  return {a.first + b.first, a.second + b.second};
}

// Counts within a tile fit in 32 bits, those of all tiles may not.
__device__ __forceinline__ PartCounts<Value> widen(const PartCounts<u32>& local) {
  return {Value(local.first), Value(local.second)};
}
