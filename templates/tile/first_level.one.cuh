// What a thread brings to the tree of its block: one item.
#pragma once

#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"

// The item of this thread, of n in all, n > block * tile_items. `active`: how many threads have one, the lowest.
__device__ __forceinline__ Accumulator first_level(const Input* in, u64 n, u32 block, u32, int& active) {
  const u64 first = u64(block) * tile_items, left = n - first;
  active = left < threads_per_block ? int(left) : threads_per_block;
  Accumulator value;
  if (thread_index() < active) value = lift(in[first + thread_index()]);
  return value;
}
