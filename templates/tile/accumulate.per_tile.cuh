// Folds a block's share of the items in their order, tile by tile.
#pragma once

#include "algorithm/lift.cuh"
#include "block/reduce.warp_reduces.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/reduce.sequential.cuh"
#include "tile/geometry.cuh"
#include "tile/load.direct.cuh"

struct AccumulateStorage {
  LoadStorage<Input> load;
  BlockReduceStorage reduce;
};

// Folds one tile in order; the result is warp 0's.
template <bool whole>
__device__ __forceinline__ Accumulator fold_tile(const Input* in, int valid, AccumulateStorage& storage) {
  Input loaded[items_per_thread];
  fetch_tile<whole>(in, valid, loaded);
  arrange_tile(loaded, storage.load);
  Accumulator items[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) items[i] = lift(loaded[i]);
  const Accumulator folded = thread_reduce<whole>(items, items_of_thread(valid));
  return block_reduce<whole>(folded, active_threads(valid), storage.reduce);
}

// Folds the share of one block of n items, n > block * tile_items: neighbouring tiles, in order; the result is warp
// 0's. Each tile is folded over the block before the next is begun: the operator need not commute.
__device__ __forceinline__ Accumulator accumulate(const Input* in, u64 n, u32 block, u32 blocks,
                                                  AccumulateStorage& storage) {
  const u64 tiles = (n + tile_items - 1) / tile_items;
  const u64 share = tiles / blocks, extra = tiles % blocks;
  const u64 begin = block * share + (block < extra ? block : extra);
  const u64 end = begin + share + (block < extra ? 1 : 0);
  Accumulator total;
  for (u64 tile = begin; tile < end; ++tile) {
    const u64 first = tile * tile_items, left = n - first;
    if (tile > begin) block_barrier();
    const Accumulator folded = left >= tile_items ? fold_tile<true>(in + first, tile_items, storage)
                                                  : fold_tile<false>(in + first, int(left), storage);
    if (warp_index() == 0) total = tile > begin ? combine(total, folded) : folded;
  }
  return total;
}
