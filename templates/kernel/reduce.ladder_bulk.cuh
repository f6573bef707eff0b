// First step of the reduction ladder by bulk copies (cp.async.bulk, compute capability 9.0): the copies of several
// tiles are on their way to shared memory, and no thread waits for a load of its own.
#pragma once

#include "algorithm/lift.cuh"
#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "block/tree.shuffles.cuh"
#include "grid/tile_share.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/vector.cuh"

constexpr int bulk_stages = threads_per_block < 1024 ? 4 : 2;

// Each thread's items of a tile: 16 bytes.
union BulkVector {
  Vector<16> vector;
  Input item[items_per_thread];
};

struct SharedStorage {
  BulkVector stage[bulk_stages][threads_per_block];
  BlockTreeStorage tree;
  PhaseBarrier full[bulk_stages];
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// Begins to load a tile into a stage, by one thread.
__device__ __forceinline__ void fill_stage(SharedStorage& shared, int stage, const Input* in, u64 tile) {
  constexpr u32 bytes = threads_per_block * 16;
  arrive_expecting(&shared.full[stage], bytes);
  bulk_load(shared.stage[stage], in + tile * tile_items, bytes, &shared.full[stage]);
}

__device__ __forceinline__ void fold_items(const Input (&items)[items_per_thread], bool& has_sum, Accumulator& sum) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const Accumulator item = lift(items[i]);
    sum = has_sum || i > 0 ? combine(sum, item) : item;
  }
  has_sum = true;
}

// Folds this thread's items of the block's tiles below `tiles`, all of which are whole.
__device__ __forceinline__ void fold_bulk(const Input* in, u64 tiles, u32 blocks, SharedStorage& shared, bool& has_sum,
                                          Accumulator& sum) {
  const u64 first = block_index();
  if (thread_index() == 0) {
    for (int stage = 0; stage < bulk_stages; ++stage) init_barrier(&shared.full[stage], 1);
    fence_barriers_for_bulk_copies();
    for (int stage = 0; stage < bulk_stages; ++stage) {
      const u64 tile = first + u64(stage) * blocks;
      if (tile < tiles) fill_stage(shared, stage, in, tile);
    }
  }
  block_barrier();
  u32 round = 0;
  for (u64 tile = first; tile < tiles; tile += blocks, ++round) {
    const int stage = int(round % bulk_stages);
    wait_phase(&shared.full[stage], round / bulk_stages % 2);
    const BulkVector own = shared.stage[stage][thread_index()];
    fence_for_bulk_copies();
    block_barrier();  // all have read what the next tile takes the place of
    const u64 next = tile + u64(bulk_stages) * blocks;
    if (thread_index() == 0 && next < tiles) fill_stage(shared, stage, in, next);
    fold_items(own.item, has_sum, sum);
  }
}

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
  // Bulk copies need addresses that are multiples of 16.
  const u64 whole_tiles = reinterpret_cast<u64>(in) % 16 == 0 ? n / tile_items : 0;
  Accumulator sum;
  bool has_sum = false;
  fold_bulk(in, whole_tiles, blocks, shared, has_sum, sum);
  // The block's other tiles.
  const u64 first = u64(block_index()) * tile_items, stride = u64(blocks) * tile_items;
  u64 begin = first;
  if (begin < whole_tiles * tile_items) begin += (whole_tiles * tile_items - begin + stride - 1) / stride * stride;
  for (; begin < n; begin += stride) {
    const u64 end = n - begin < tile_items ? n : begin + tile_items;
    for (u64 i = begin + thread_index(); i < end; i += threads_per_block) {
      const Accumulator item = lift(in[i]);
      sum = has_sum ? combine(sum, item) : item;
      has_sum = true;
    }
  }
  // Of the first tile; no other has more.
  const int active = n - first < threads_per_block ? int(n - first) : threads_per_block;
  const Accumulator fold = active == threads_per_block ? block_tree<true>(sum, active, shared.tree)
                                                       : block_tree<false>(sum, active, shared.tree);
  if (thread_index() == 0) arguments.partials[block_index()] = fold;
}
