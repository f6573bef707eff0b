// A thread scans the rows of its columns.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "parameters.cuh"
#include "thread/axis_columns.cuh"

// The results of row i. `running`: the fold of what comes before it, if has_running; afterwards also of row i.
template <bool vectors>
__device__ __forceinline__ ColumnItems<Output, vectors> scan_row(
    const ColumnItems<Input, vectors>& row, bool has_running,
    Accumulator (&running)[ColumnItems<Input, vectors>::count]) {
  ColumnItems<Output, vectors> results;
#pragma unroll
  for (int c = 0; c < ColumnItems<Input, vectors>::count; ++c) {
    const Accumulator item = lift(row.item[c]);
    const Accumulator inclusive = has_running ? combine(running[c], item) : item;
    results.item[c] = Output(emit(running[c], inclusive));
    running[c] = inclusive;
  }
  return results;
}

// Stores the results of the first `valid` rows.
template <bool vectors, int count>
__device__ __forceinline__ void scan_rows(const ColumnRows<vectors, count>& rows, int valid, Output* to, u64 inner,
                                          bool has_running,
                                          Accumulator (&running)[ColumnItems<Input, vectors>::count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (i < valid)
      store_columns<vectors>(to + u64(i) * inner, scan_row<vectors>(rows.row[i], has_running || i > 0, running));
  }
}
