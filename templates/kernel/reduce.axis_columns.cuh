// Folds along an axis that is not the last one: a thread walks down its columns, and waits for nobody.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "grid/empty_columns.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/axis_share.cuh"
#include "thread/single_columns.cuh"

// Columns by vectors.
__device__ __forceinline__ void fold_vectors(const Arguments& arguments, Accumulator initial) {
  constexpr bool vectors = columns_per_thread > 1;
  constexpr int count = ColumnItems<Input, vectors>::count;
  const u64 length = arguments.length, inner = arguments.inner;
  const u64 step = u64(grid_size()) * threads_per_block * count;
  const Share<u64> all{0, length, 1, 1};
  u64 column = (u64(block_index()) * threads_per_block + u64(thread_index())) * count;
  for (; column < arguments.columns; column += step) {
    Accumulator total[count];
    fold_share<vectors>(arguments.in + item_of_column(column, length, inner), all, inner, total);
    finish_columns<vectors>(arguments.out + column, initial, total);
  }
}

// Columns item by item.
__device__ __forceinline__ void fold_items(const Arguments& arguments, Accumulator initial) {
  constexpr int count = single_count, block_columns = threads_per_block * count;
  const u64 length = arguments.length, inner = arguments.inner;
  u64 begin = u64(block_index()) * block_columns;
  for (; begin < arguments.columns; begin += u64(grid_size()) * block_columns) {
    const SingleColumns columns = single_columns(arguments, begin);
    Accumulator total[count];
    for (u64 row = 0; row < length; row += items_per_thread) {
      const int valid = length - row < items_per_thread ? int(length - row) : items_per_thread;
      ColumnRows<false> rows[count];
#pragma unroll
      for (int c = 0; c < count; ++c) {
        const Input* const from = arguments.in + columns.first[c] + row * inner;
        load_rows<false>(from, inner, columns.is_there[c] ? valid : 0, rows[c]);
      }
#pragma unroll
      for (int c = 0; c < count; ++c) {
        Accumulator own[1];
        if (row > 0) own[0] = total[c];
        fold_rows<false, false>(rows[c], columns.is_there[c] ? valid : 0, row > 0, own);
        total[c] = own[0];
      }
    }
#pragma unroll
    for (int c = 0; c < count; ++c) {
      if (columns.is_there[c]) finish(arguments.out + columns.column[c], combine(initial, total[c]));
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Accumulator initial = initial_of(read_scalars(passed));
  if (arguments.length == 0) {
    finish_empty_columns(arguments, initial);
    return;
  }
  if (fills_vectors(arguments.in, arguments.inner)) {
    fold_vectors(arguments, initial);
  } else {
    fold_items(arguments, initial);
  }
}
