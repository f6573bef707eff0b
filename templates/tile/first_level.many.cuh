// What a thread brings to the tree of its block: two items of every so many tiles, as many as there are (Harris, 2007,
// "Reduction #7: Multiple Adds / Thread").
#pragma once

#include "algorithm/lift.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/geometry.cuh"

// The fold of this thread's items of tiles block, block + blocks, ... of n items, n > block * tile_items. The operator
// must commute. `active`: how many threads have any, the lowest.
__device__ __forceinline__ Accumulator first_level(const Input* in, u64 n, u32 block, u32 blocks, int& active) {
  const u64 first = u64(block) * tile_items, left = n - first, stride = u64(blocks) * tile_items;
  active = left < threads_per_block ? int(left) : threads_per_block;  // of the first tile; no other has more
  Accumulator sum;
  bool has_sum = false;
  for (u64 i = first + thread_index(); i < n; i += stride) {
    Accumulator value = lift(in[i]);
    if (i + threads_per_block < n) value = combine(value, lift(in[i + threads_per_block]));
    sum = has_sum ? combine(sum, value) : value;
    has_sum = true;
  }
  return sum;
}
