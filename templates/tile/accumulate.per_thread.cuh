// Folds a block's share of the items: each thread folds what it reads, then the block folds the threads.
#pragma once

#include "block/reduce.warp_reduces.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/thread_fold.value.cuh"

struct AccumulateStorage {
  BlockReduceStorage reduce;
};

// Items before the first 16-byte address.
__device__ __forceinline__ u64 items_before_alignment(const Input* in, u64 n) {
  const u64 past = reinterpret_cast<u64>(in) % 16;
  const u64 head = past == 0 ? 0 : (16 - past) / sizeof(Input);
  return head < n ? head : n;
}

constexpr int aligned_items = 16 / sizeof(Input);

// On their way from memory at the same time, in what is left over from whole tiles.
constexpr int loads_at_once = 4;

union AlignedVector {
  Vector<16> vector;
  Input item[aligned_items];
};

__device__ __forceinline__ void fold_item(Input item, ThreadFold& thread_fold) {
  const Input items[1] = {item};
  fold_items(items, thread_fold);
}

// Folds `valid` items from an aligned address on, less than a tile. Returns how many threads had any: the lowest.
__device__ __forceinline__ int fold_rest(const Input* from, int valid, ThreadFold& thread_fold) {
  const int thread = thread_index(), vectors = valid / aligned_items, rest = valid % aligned_items;
  for (int v = thread; v < vectors; v += loads_at_once * threads_per_block) {
    AlignedVector loaded[loads_at_once];
#pragma unroll
    for (int l = 0; l < loads_at_once; ++l) {
      const int at = v + l * threads_per_block;
      if (at < vectors) loaded[l].vector = reinterpret_cast<const Vector<16>*>(from)[at];
    }
#pragma unroll
    for (int l = 0; l < loads_at_once; ++l) {
      if (v + l * threads_per_block >= vectors) break;
      fold_items(loaded[l].item, thread_fold);
    }
  }
  if (thread < rest) fold_item(from[vectors * aligned_items + thread], thread_fold);
  const int active = vectors > rest ? vectors : rest;
  return active < threads_per_block ? active : threads_per_block;
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
  ThreadFold thread_fold = empty_fold();
  for (; first < aligned && aligned - first >= tile_items; first += u64(blocks) * tile_items) {
    fold_tile(body + first, thread_fold);
    active = threads_per_block;
  }
  if (first < aligned) {
    const int had = fold_rest(body + first, int(aligned - first), thread_fold);
    if (active < had) active = had;
  }
  if (block == blocks - 1 && head > 0) {
    if (thread_index() < head) fold_item(in[thread_index()], thread_fold);
    if (active < int(head)) active = int(head);
  }
  if (active == threads_per_block) return block_reduce<true>(thread_fold.value, threads_per_block, storage.reduce);
  return block_reduce<false>(thread_fold.value, active, storage.reduce);
}
