// One launch: every block folds its share and publishes the total; the block that started last waits for the totals of
// all others, which run already, and folds them in the order of the blocks: the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/reduce.warp_reduces.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/accumulate.per_thread.cuh"
#include "grid/entry.cuh"
#include "tile/prefetch.none.cuh"

struct SharedStorage {
  AccumulateStorage accumulate;
  BlockReduceStorage reduce;
  Claim claim;
};

// Folds the totals of all blocks in their order; the result is warp 0's.
__device__ __forceinline__ Accumulator fold_aggregates_of_blocks(Workspace* workspace, u32 epoch, int blocks,
                                                                 SharedStorage& shared) {
  const int share = (blocks + threads_per_block - 1) / threads_per_block;
  const int begin = thread_index() * share, end = begin + share < blocks ? begin + share : blocks;
  Accumulator value;
  for (int i = begin; i < end; ++i) {
    Reading total;
    do {
      total = read(descriptors(workspace) + i, epoch);
    } while (total.status == invalid);
    value = i > begin ? combine(value, total.value) : total.value;
  }
  return block_reduce<false>(value, (blocks + share - 1) / share, shared.reduce);
}

// Blocks that have items, where fewer items may be there than the kernel was launched for.
__device__ __forceinline__ u32 active_blocks(u64 n) {
  const u64 tiles = (n + tile_items - 1) / tile_items;
  return tiles < grid_size() ? u32(tiles) : grid_size();
}

// Folds the block's share of the items, of so many blocks, and publishes it as an aggregate.
__device__ __forceinline__ void publish_share(const Input* in, u64 n, u32 blocks, Workspace* workspace,
                                              SharedStorage& shared) {
  const Accumulator share = accumulate(in, n, block_index(), blocks, shared.accumulate);
  if (thread_index() == 0) publish(descriptors(workspace) + block_index(), shared.claim.epoch, aggregate, share);
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  Output* const out = arguments.out;
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  Workspace* const workspace = arguments.workspace;
  SharedStorage& shared = block_storage<SharedStorage>();
  u32 blocks = grid_size();
  if (thread_index() == 0) {
    prefetch_tile<tile_items>(in, n, block_index());
    shared.claim = enter<false>(workspace);
    announce_start();
  }
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  if (n == 0) {
    if (has_limits && block_index() > 0) return;
    if (has_initial && thread_index() == 0) finish(out, initial_of(read_scalars(passed)));
    return;
  }
  // The block's share of the items, published as an aggregate.
  if (has_limits) blocks = active_blocks(n);
  if (is_below(block_index(), blocks)) publish_share(in, n, blocks, workspace, shared);
  block_barrier();
  if (shared.claim.number != grid_size() - 1) return;

  // The block that started last: the result.
  const Accumulator total = fold_aggregates_of_blocks(workspace, shared.claim.epoch, int(blocks), shared);
  if (thread_index() == 0) {
    finish(out, has_initial ? combine(initial_of(read_scalars(passed)), total) : total);
    scrub(workspace, blocks);
  }
}
