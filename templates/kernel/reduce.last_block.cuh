// One launch: every block folds its share and leaves a partial result; the last block to finish folds the partial
// results in the order of the blocks, so the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/reduce.warp_reduces.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/accumulate.per_thread.cuh"
#include "grid/partial.word_32.cuh"
#include "tile/prefetch.none.cuh"

// Global memory that outlives the launch. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) Workspace {
  u32 unused;
  u32 finished;  // blocks whose partial result is there
};

struct SharedStorage {
  AccumulateStorage accumulate;
  BlockReduceStorage reduce;
  bool last;
};

__device__ __forceinline__ Partial* partials(Workspace* workspace) { return reinterpret_cast<Partial*>(workspace + 1); }

// Folds the partial results of all blocks in their order; the result is warp 0's.
__device__ __forceinline__ Accumulator fold_partials(Workspace* workspace, int blocks, SharedStorage& shared) {
  const int share = (blocks + threads_per_block - 1) / threads_per_block;
  const int begin = thread_index() * share, end = begin + share < blocks ? begin + share : blocks;
  Accumulator value;
  for (int i = begin; i < end; ++i) {
    const Accumulator partial = load_partial(partials(workspace) + i);
    value = i > begin ? combine(value, partial) : partial;
  }
  return block_reduce<false>(value, (blocks + share - 1) / share, shared.reduce);
}

// Blocks that have items, where fewer items may be there than the kernel was launched for.
__device__ __forceinline__ u32 active_blocks(u64 n) {
  const u64 tiles = (n + tile_items - 1) / tile_items;
  return tiles < grid_size() ? u32(tiles) : grid_size();
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  Output* const out = arguments.out;
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  Workspace* const workspace = arguments.workspace;
  announce_start();
  if (thread_index() == 0) prefetch_tile<tile_items>(in, n, block_index());
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  if (n == 0) {
    if (has_limits && block_index() > 0) return;
    if (has_initial && thread_index() == 0) finish(out, initial_of(read_scalars(passed)));
    return;
  }
  // The block's share of the items.
  u32 blocks = grid_size();
  if (has_limits) blocks = active_blocks(n);
  if (has_limits && block_index() >= blocks) return;
  const Accumulator share = accumulate(in, n, block_index(), blocks, shared.accumulate);
  // The block's partial result, and then the count of finished blocks.
  if (thread_index() == 0) {
    store_partial(partials(workspace) + block_index(), share);
    const u32 finished = add_acquire_release(&workspace->finished, 1);
    if (finished >= blocks) abort_kernel();  // another launch counts at the same time in the same workspace
    shared.last = finished == blocks - 1;
  }
  block_barrier();
  if (!shared.last) return;

  // The last block: the result, and the workspace as the next launch expects it.
  const Accumulator total = fold_partials(workspace, int(blocks), shared);
  if (thread_index() == 0) {
    finish(out, has_initial ? combine(initial_of(read_scalars(passed)), total) : total);
    store_relaxed(&workspace->finished, 0u);
  }
}
