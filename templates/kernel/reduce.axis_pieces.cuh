// Folds along an axis that is not the last one: each block folds pieces of panels of columns. Where a column has
// several pieces, the block that finishes the last one of a panel folds the partial results in their order, so the
// association does not depend on timing.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/axis_panel.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "grid/empty_columns.cuh"
#include "grid/partial.word_32.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/axis_share.cuh"
#include "thread/divided.cuh"
#include "thread/share.cuh"

// Global memory that outlives the launch: slots. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) Workspace {
  u32 unused;
};

// Columns of several pieces have more items than a piece, and at most two pieces for each that would be whole. So two
// partial results for each slot have room for all pieces of all columns, and there is a slot for each panel.
struct PieceSlot {
  Partial partial[2];
  u32 finished;  // pieces of the panel of that number whose partial results are there
};

struct SharedStorage {
  PanelValues values;
  bool last;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ PieceSlot* slots_of(Workspace* workspace) {
  return reinterpret_cast<PieceSlot*>(workspace + 1);
}

__device__ __forceinline__ Partial* partial_of(Workspace* workspace, u64 piece, u64 columns, u64 column) {
  const u64 index = piece * columns + column;
  return &slots_of(workspace)[index / 2].partial[index % 2];
}

// Folds the partial results of pieces from `begin` to `end`, at least one: several are loaded at a time, because each
// load takes most of a microsecond.
template <int count>
__device__ __forceinline__ void fold_partials(Workspace* workspace, u64 begin, u64 end, u64 columns, u64 column,
                                              Accumulator (&total)[count]) {
  constexpr int fit = 128 / (count * int(sizeof(Accumulator))), at_once = fit < 1 ? 1 : fit < 8 ? fit : 8;
  for (u64 first = begin; first < end; first += at_once) {
    Accumulator partial[at_once][count];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const u64 piece = first + u64(i) < end ? first + u64(i) : end - 1;
#pragma unroll
      for (int c = 0; c < count; ++c) {
        partial[i][c] = load_partial(partial_of(workspace, piece, columns, column + u64(c)));
      }
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (first + u64(i) >= end) continue;
#pragma unroll
      for (int c = 0; c < count; ++c) {
        total[c] = first > begin || i > 0 ? combine(total[c], partial[i][c]) : partial[i][c];
      }
    }
  }
}

// Leaves the partial results of a piece, which the first group has. Behind the panel's last piece to come, folds those
// of all its pieces: whether this is so, and then `total` is the first group's.
template <int count>
__device__ __forceinline__ bool complete_panel(const Arguments& arguments, const Panel& panel, u64 number, u64 piece,
                                               u64 pieces, bool has_column, u64 column, Accumulator (&total)[count],
                                               SharedStorage& shared) {
  Workspace* const workspace = arguments.workspace;
  const int group = thread_index() / panel.width;
  u32* const finished = &slots_of(workspace)[number].finished;
  if (has_column && group == 0) {
#pragma unroll
    for (int c = 0; c < count; ++c) {
      store_partial(partial_of(workspace, piece, arguments.columns, column + u64(c)), total[c]);
    }
    fence_device();
  }
  block_barrier();
  if (thread_index() == 0) {
    const u32 before = add_acquire_release(finished, 1);
    if (before >= pieces) abort_kernel();  // another launch counts at the same time in the same workspace
    shared.last = before + 1 == pieces;
  }
  block_barrier();
  if (!shared.last) return false;
  fence_device();
  const u64 each = divided(pieces + u64(panel.groups) - 1, u64(panel.groups)), begin = u64(group) * each;
  const u64 end = pieces - begin < each ? pieces : begin + each;
  const bool has_pieces = has_column && begin < pieces;
  if (has_pieces) fold_partials(workspace, begin, end, arguments.columns, column, total);
  fold_groups(total, has_pieces, int(divided(pieces + each - 1, each)), panel.width, shared.values);
  if (thread_index() == 0) store_relaxed(finished, 0u);
  return true;
}

template <bool vectors>
__device__ __forceinline__ void fold_columns(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const u64 length = arguments.length, inner = arguments.inner;
  constexpr int rows_each = rows_at_once<vectors> < rows_per_thread ? rows_at_once<vectors> : rows_per_thread;
  const Panel panel = panel_of(arguments.columns / count, length, rows_each);
  const u64 piece_rows = u64(panel.groups) * rows_per_thread;
  const u64 pieces = divided(length + piece_rows - 1, piece_rows);
  const int group = thread_index() / panel.width, lane = thread_index() % panel.width;
  for (u64 work = block_index(); work < panel.panels * pieces; work += grid_size()) {
    const u64 piece = divided(work, panel.panels), number = work - piece * panel.panels;
    const u64 unit = number * u64(panel.width) + u64(lane), column = unit * count, row = piece * piece_rows;
    const int rows_there = length - row < piece_rows ? int(length - row) : int(piece_rows);
    const Share<int> share = share_of<false>(rows_there, group, panel.groups);
    const bool has_column = group < panel.groups && unit < panel.units;
    const bool has_rows = has_column && share.count > 0;
    Accumulator total[count];
    if (has_rows) {
      const u64 first = item_of_column(column, length, inner) + (row + u64(share.first)) * inner;
      fold_share<vectors>(arguments.in + first, share, inner, total);
    }
    fold_groups(total, has_rows, share.active, panel.width, shared.values);
    const bool is_whole = pieces == 1 || complete_panel<count>(arguments, panel, number, piece, pieces, has_column,
                                                               column, total, shared);
    if (is_whole && has_column && group == 0) finish_columns<vectors>(arguments.out + column, initial, total);
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Accumulator initial = initial_of(read_scalars(passed));
  SharedStorage& shared = block_storage<SharedStorage>();
  if (arguments.length == 0) {
    finish_empty_columns(arguments, initial);
    return;
  }
  if (fills_vectors(arguments.in, arguments.inner)) {
    fold_columns<true>(arguments, initial, shared);
  } else {
    fold_columns<false>(arguments, initial, shared);
  }
}
