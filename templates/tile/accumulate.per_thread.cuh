#pragma once

#include "block/reduce.warp_reduces.cuh"
#include "parameters.cuh"
#include "thread/operator.plus.cuh"
#include "tile/geometry.cuh"
#include "tile/strip.direct.cuh"

// Folds this thread's share of a whole tile.
__device__ __forceinline__ Accumulator fold_strip(const Input* from) {
  Input items[items_per_thread];
  load_strip(from, items);
  Accumulator folded = Accumulator(items[0]);
#pragma unroll
  for (int i = 1; i < items_per_thread; ++i) folded = combine(folded, Accumulator(items[i]));
  return folded;
}

struct AccumulateStorage {
  BlockReduceStorage reduce;
};

// Folds tiles block, block + blocks, ... of n items, n > block * tile_items; the result is warp 0's. Each thread folds
// what it reads of all tiles, then the block folds the threads: the operator must commute.
__device__ __forceinline__ Accumulator accumulate(const Input* in, u64 n, u32 block, u32 blocks,
                                                  AccumulateStorage& storage) {
  u64 first = u64(block) * tile_items;
  bool has_value = false;
  Accumulator value;
  for (; first < n && n - first >= tile_items; first += u64(blocks) * tile_items) {
    const Accumulator folded = fold_strip(in + first);
    value = has_value ? combine(value, folded) : folded;
    has_value = true;
  }
  if (first < n) {
    const int valid = int(n - first);
    for (int i = thread_index(); i < valid; i += threads_per_block) {
      const Accumulator item = Accumulator(in[first + i]);
      value = has_value ? combine(value, item) : item;
      has_value = true;
    }
    if (first == u64(block) * tile_items) {
      // The only tile of this block is not whole: its first threads alone have a value.
      return block_reduce<false>(value, valid < threads_per_block ? valid : threads_per_block, storage.reduce);
    }
  }
  return block_reduce<true>(value, threads_per_block, storage.reduce);
}
