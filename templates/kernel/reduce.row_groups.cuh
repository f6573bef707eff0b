// Folds of rows: a group of threads folds a few rows at a time, and no group waits for another one's rows.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/reduce_group.warp.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/row_vectors.cuh"

struct SharedStorage {
  GroupStorage group;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

constexpr int groups_per_block = threads_per_block / threads_per_row;

// Rows that a block folds at a time.
constexpr int block_rows = groups_per_block * rows_per_group;

// A stretch of `valid` items of each of the group's rows, from item `first` of the row on: loads all, then folds them.
// `row`: the group's first row; the others are groups_per_block apart. Behind what there is, if first > 0.
template <bool vectors, bool whole>
__device__ __forceinline__ void fold_stretch(const Arguments& arguments, u64 row, u64 first, int valid,
                                             GroupStorage& storage, Accumulator (&total)[rows_per_group]) {
  const int lane = thread_index() % threads_per_row, active = active_lanes<vectors>(valid);
  RowVectors loaded[rows_per_group];
#pragma unroll
  for (int k = 0; k < rows_per_group; ++k) {
    const u64 at = row + u64(k * groups_per_block);
    if (at < arguments.rows)
      load_row<vectors>(arguments.in + at * arguments.row_length + first, valid, lane, loaded[k]);
  }
#pragma unroll
  for (int k = 0; k < rows_per_group; ++k) {
    const bool has_row = row + u64(k * groups_per_block) < arguments.rows, has_items = has_row && lane < active;
    if (!in_order) {
      if (has_items) fold_row<vectors, whole>(loaded[k], valid, lane, first > 0, total[k]);
      continue;
    }
    Accumulator share;
    if (has_items) fold_row<vectors, whole>(loaded[k], valid, lane, false, share);
    const Accumulator stretch = group_reduce(share, has_row ? active : 0, storage);
    if (has_items && lane == 0) total[k] = first > 0 ? combine(total[k], stretch) : stretch;
  }
}

// Folds all rows, of at least one item.
template <bool vectors>
__device__ __forceinline__ void fold_rows(const Arguments& arguments, const Scalars& scalars, GroupStorage& storage) {
  const u64 length = arguments.row_length;
  const int lane = thread_index() % threads_per_row;
  // By all threads, so that each can exchange with its group.
  for (u64 batch = u64(block_index()) * block_rows; batch < arguments.rows; batch += u64(grid_size()) * block_rows) {
    const u64 row = batch + u64(thread_index() / threads_per_row);
    Accumulator total[rows_per_group];
    u64 first = 0;
    for (; length - first >= group_items; first += group_items) {
      fold_stretch<vectors, true>(arguments, row, first, group_items, storage, total);
    }
    if (first < length) fold_stretch<vectors, false>(arguments, row, first, int(length - first), storage, total);
#pragma unroll
    for (int k = 0; k < rows_per_group; ++k) {
      const u64 at = row + u64(k * groups_per_block);
      if (!in_order) {
        const int active = active_lanes<vectors>(length < group_items ? int(length) : group_items);
        total[k] = group_reduce(total[k], at < arguments.rows ? active : 0, storage);
      }
      if (lane == 0 && at < arguments.rows) finish(arguments.out + at, combine(initial_of(scalars), total[k]));
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  GroupStorage& storage = block_storage<SharedStorage>().group;
  const u64 length = arguments.row_length, threads = u64(grid_size()) * threads_per_block;
  if (length == 0) {
    const u64 thread = u64(block_index()) * threads_per_block + u64(thread_index());
    for (u64 row = thread; row < arguments.rows; row += threads) finish(arguments.out + row, initial_of(scalars));
    return;
  }
  const bool aligned = reinterpret_cast<u64>(arguments.in) % 16 == 0 && length * sizeof(Input) % 16 == 0;
  if (items_fill_vectors && aligned) {
    fold_rows<true>(arguments, scalars, storage);
  } else {
    fold_rows<false>(arguments, scalars, storage);
  }
}
