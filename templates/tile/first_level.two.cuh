// What a thread brings to the tree of its block: two items, which it combines as it loads them (Harris, 2007,
// "Reduction #4: First Add During Load").
#pragma once

#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/geometry.cuh"

// The fold of this thread's items, of n in all, n > block * tile_items. They are half a tile apart: the operator must
// commute. `active`: how many threads have any, the lowest.
__device__ __forceinline__ Accumulator first_level(const Input* in, u64 n, u32 block, u32, int& active) {
  const u64 first = u64(block) * tile_items, left = n - first, second = thread_index() + threads_per_block;
  active = left < threads_per_block ? int(left) : threads_per_block;
  Accumulator value;
  if (thread_index() < active) value = lift(in[first + thread_index()]);
  if (second < left) value = combine(value, lift(in[first + second]));
  return value;
}
