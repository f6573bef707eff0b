// First step of the reduction ladder: each block folds its items by a tree and leaves a partial result.
#pragma once

#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "block/tree.sequential.cuh"
#include "grid/tile_share.cuh"
#include "parameters.cuh"
#include "tile/first_level.one.cuh"

struct SharedStorage {
  BlockTreeStorage tree;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  u64 n = arguments.n;
  announce_start();
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  const u32 blocks = active_blocks(n);
  if (block_index() == 0 && thread_index() == 0) *arguments.partial_count = blocks;
  if (block_index() >= blocks) return;
  int active;
  const Accumulator value = first_level(in, n, block_index(), blocks, active);
  const Accumulator fold = active == threads_per_block ? block_tree<true>(value, active, shared.tree)
                                                       : block_tree<false>(value, active, shared.tree);
  if (thread_index() == 0) arguments.partials[block_index()] = fold;
}
