// A thread scans columns whose items of a row are no vector.
#pragma once

#include "algorithm/start.initial.cuh"
#include "parameters.cuh"
#include "thread/axis_scan.cuh"
#include "thread/single_columns.cuh"

__device__ __forceinline__ void scan_single_columns(const Arguments& arguments, const Scalars& scalars) {
  constexpr int count = single_count, block_columns = threads_per_block * count;
  const u64 length = arguments.length, inner = arguments.inner;
  u64 begin = u64(block_index()) * block_columns;
  for (; begin < arguments.columns; begin += u64(grid_size()) * block_columns) {
    const SingleColumns columns = single_columns(arguments, begin);
    Accumulator running[count];
#pragma unroll
    for (int c = 0; c < count; ++c) running[c] = initial_of(scalars);
    for (u64 row = 0; row < length; row += items_per_thread) {
      const int valid = length - row < items_per_thread ? int(length - row) : items_per_thread;
      ColumnItems<Input, false> items[items_per_thread][count];
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
#pragma unroll
        for (int c = 0; c < count; ++c) {
          const u64 at = columns.first[c] + (row + u64(i)) * inner;
          if (i < valid && columns.is_there[c]) load_columns<false>(arguments.in + at, items[i][c]);
        }
      }
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
#pragma unroll
        for (int c = 0; c < count; ++c) {
          if (i >= valid || !columns.is_there[c]) continue;
          Accumulator own[1] = {running[c]};
          const u64 at = columns.first[c] + (row + u64(i)) * inner;
          store_columns<false>(arguments.out + at, scan_row<false>(items[i][c], has_initial || row > 0 || i > 0, own));
          running[c] = own[0];
        }
      }
    }
  }
}
