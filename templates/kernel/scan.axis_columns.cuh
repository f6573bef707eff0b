// Scans along an axis that is not the last one: a thread walks down its columns, and waits for nobody.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "parameters.cuh"
#include "thread/axis_scan.cuh"
#include "thread/single_columns_scan.cuh"

// Columns by vectors.
__device__ __forceinline__ void scan_vectors(const Arguments& arguments, const Scalars& scalars) {
  constexpr bool vectors = columns_per_thread > 1;
  constexpr int count = ColumnItems<Input, vectors>::count;
  const u64 length = arguments.length, inner = arguments.inner;
  const u64 threads = u64(grid_size()) * threads_per_block;
  u64 column = (u64(block_index()) * threads_per_block + u64(thread_index())) * count;
  for (; column < arguments.columns; column += threads * count) {
    const u64 first = item_of_column(column, length, inner);
    Accumulator running[count];
#pragma unroll
    for (int c = 0; c < count; ++c) running[c] = initial_of(scalars);
    for (u64 row = 0; row < length; row += items_per_thread) {
      const int valid = length - row < items_per_thread ? int(length - row) : items_per_thread;
      ColumnRows<vectors> rows;
      load_rows<vectors>(arguments.in + first + row * inner, inner, valid, rows);
      scan_rows<vectors>(rows, valid, arguments.out + first + row * inner, inner, has_initial || row > 0, running);
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  if (fills_vectors(arguments.in, arguments.inner) && fills_vectors(arguments.out, arguments.inner)) {
    scan_vectors(arguments, scalars);
  } else {
    scan_single_columns(arguments, scalars);
  }
}
