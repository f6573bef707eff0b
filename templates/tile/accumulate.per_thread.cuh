#pragma once

#include "block/reduce.warp_reduces.cuh"
#include "parameters.cuh"
#include "thread/operator.plus.cuh"
#include "tile/fold_strip.items.cuh"
#include "tile/geometry.cuh"

struct AccumulateStorage {
  BlockReduceStorage reduce;
};

// Items before the first 16-byte address.
__device__ __forceinline__ u64 items_before_alignment(const Input* in, u64 n) {
  const u64 past = reinterpret_cast<u64>(in) % 16;
  const u64 head = past == 0 ? 0 : (16 - past) / sizeof(Input);
  return head < n ? head : n;
}

// Folds tiles block, block + blocks, ... of n items, n > block * tile_items; the result is warp 0's. Each thread folds
// what it reads of all tiles, then the block folds the threads: the operator must commute. Tiles begin at the first
// 16-byte address; the last block has the items before.
__device__ __forceinline__ Accumulator accumulate(const Input* in, u64 n, u32 block, u32 blocks,
                                                  AccumulateStorage& storage) {
  const u64 head = items_before_alignment(in, n), aligned = n - head;
  const Input* const body = in + head;
  u64 first = u64(block) * tile_items;
  int active = 0;  // threads that have a value: the lowest
  bool has_value = false;
  Accumulator value;
  for (; first < aligned && aligned - first >= tile_items; first += u64(blocks) * tile_items) {
    const Accumulator folded = fold_strip(body + first);
    value = has_value ? combine(value, folded) : folded;
    has_value = true;
    active = threads_per_block;
  }
  const int thread = thread_index();
  if (first < aligned) {
    const int valid = int(aligned - first);
    for (int i = thread; i < valid; i += threads_per_block) {
      const Accumulator item = Accumulator(body[first + i]);
      value = has_value ? combine(value, item) : item;
      has_value = true;
    }
    if (valid > active) active = valid < threads_per_block ? valid : threads_per_block;
  }
  if (block == blocks - 1 && head > 0) {
    if (thread < head) {
      const Accumulator item = Accumulator(in[thread]);
      value = has_value ? combine(value, item) : item;
    }
    if (active < int(head)) active = int(head);
  }
  if (active == threads_per_block) return block_reduce<true>(value, threads_per_block, storage.reduce);
  return block_reduce<false>(value, active, storage.reduce);
}
