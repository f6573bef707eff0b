// Folds of long rows: each block folds pieces of rows and leaves a partial result of each; the block that finishes the
// last piece of a row folds the row's partial results in their order, so the association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/row_pitch.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/reduce.warp_reduces.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/accumulate.per_thread.cuh"
#include "grid/partial.word_32.cuh"
#include "tile/prefetch.none.cuh"

// Global memory that outlives the launch: a slot for each tile. Zero before the first one; each launch leaves it ready
// for the next.
struct alignas(128) Workspace {
  u32 unused;
};

// A row of several pieces has more than piece_items items, and at most two pieces for each piece_items of them. So
// there are as many slots as rows, and two partial results for each slot have room for all pieces.
struct RowSlot {
  Partial partial[2];
  u32 finished;  // pieces of the row of that number whose partial result is there
};

struct SharedStorage {
  AccumulateStorage accumulate;
  BlockReduceStorage reduce;
  bool last;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ RowSlot* slots_of(Workspace* workspace) { return reinterpret_cast<RowSlot*>(workspace + 1); }

__device__ __forceinline__ Partial* partial_of(Workspace* workspace, u64 piece) {
  return &slots_of(workspace)[piece / 2].partial[piece % 2];
}

// A division of 32 bits takes a fraction of the time of one of 64.
__device__ __forceinline__ u64 divided(u64 a, u64 b) { return ((a | b) >> 32) == 0 ? u64(u32(a) / u32(b)) : a / b; }

// Folds the partial results of `pieces` pieces from piece `first` on in their order; the result is warp 0's.
__device__ __forceinline__ Accumulator fold_partials(Workspace* workspace, u64 first, int pieces,
                                                     SharedStorage& shared) {
  const int share = (pieces + threads_per_block - 1) / threads_per_block;
  const int begin = thread_index() * share, end = begin + share < pieces ? begin + share : pieces;
  Accumulator value;
  for (int i = begin; i < end; ++i) {
    const Accumulator partial = load_partial(partial_of(workspace, first + u64(i)));
    value = i > begin ? combine(value, partial) : partial;
  }
  return block_reduce<false>(value, (pieces + share - 1) / share, shared.reduce);
}

// Leaves the partial result of a row's piece, which warp 0 has. Behind the row's last one to come, folds them all:
// whether this is so, and then `total` is warp 0's.
__device__ __forceinline__ bool complete_row(Workspace* workspace, u64 row, u64 piece, u32 pieces, Accumulator share,
                                             SharedStorage& shared, Accumulator& total) {
  if (thread_index() == 0) {
    store_partial(partial_of(workspace, piece), share);
    const u32 finished = add_acquire_release(&slots_of(workspace)[row].finished, 1);
    if (finished >= pieces) abort_kernel();  // another launch counts at the same time in the same workspace
    shared.last = finished == pieces - 1;
  }
  block_barrier();
  if (!shared.last) return false;
  total = fold_partials(workspace, row * pieces, int(pieces), shared);
  if (thread_index() == 0) store_relaxed(&slots_of(workspace)[row].finished, 0u);
  return true;
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const u64 rows = arguments.rows, length = arguments.row_length;
  const u64 pieces = (length + piece_items - 1) / piece_items;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  if (thread_index() == 0 && block_index() < rows * pieces) {
    const u64 row = divided(block_index(), pieces);
    const u64 first = row * in_pitch_of(arguments) + (block_index() - row * pieces) * piece_items;
    prefetch_tile<tile_items>(arguments.in + first, in_places_of(arguments) - first, 0);
  }
  await_previous_kernel();
  const Accumulator initial = initial_of(read_scalars(passed));
  SharedStorage& shared = block_storage<SharedStorage>();
  if (length == 0) {
    const u64 thread = u64(block_index()) * threads_per_block + u64(thread_index());
    const u64 threads = u64(grid_size()) * threads_per_block;
    for (u64 row = thread; row < rows; row += threads) finish(arguments.out + row, initial);
    return;
  }
  for (u64 piece = block_index(); piece < rows * pieces; piece += grid_size()) {
    const u64 row = divided(piece, pieces), first = (piece - row * pieces) * piece_items;
    const u64 items = length - first < piece_items ? length - first : piece_items;
    Accumulator total = accumulate(arguments.in + row * in_pitch_of(arguments) + first, items, 0, 1, shared.accumulate);
    const bool is_whole =
        pieces == 1 || complete_row(arguments.workspace, row, piece, u32(pieces), total, shared, total);
    if (is_whole && thread_index() == 0) finish(arguments.out + row, combine(initial, total));
    block_barrier();  // until all have read what the next piece's values take the place of
  }
}
