// A thread folds its rows of its columns.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/share.cuh"

// Folds the first `valid` rows at `from`, or as many as are loaded at a time, onto `total`, if has_total.
template <bool vectors, bool all>
__device__ __forceinline__ void fold_batch(const Input* from, u64 step, int valid, bool has_total,
                                           Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  constexpr int at_once = rows_at_once<vectors>;
  ColumnRows<vectors, at_once> rows{};
  load_rows<vectors>(from, step, all ? at_once : valid, rows);
  fold_rows<vectors, all>(rows, valid, has_total, total);
}

// Folds a thread's rows of its columns, at least one; `from`: the first of them.
template <bool vectors, typename Count>
__device__ __forceinline__ void fold_share(const Input* from, const Share<Count>& share, u64 inner,
                                           Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  constexpr int at_once = rows_at_once<vectors>;
  const u64 step = u64(share.step) * inner;
  Count row = 0;
  for (; row + at_once <= share.count; row += at_once, from += at_once * step) {
    fold_batch<vectors, true>(from, step, at_once, row > 0, total);
  }
  if (row < share.count) fold_batch<vectors, false>(from, step, int(share.count - row), row > 0, total);
}

// Writes the results of a thread's columns, as vectors where the array is aligned for them.
template <bool vectors>
__device__ __forceinline__ void finish_columns(Output* out, Accumulator initial,
                                               const Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  using Results = ColumnItems<Output, vectors>;
  Results results;
#pragma unroll
  for (int c = 0; c < Results::count; ++c) finish(&results.item[c], combine(initial, total[c]));
  if (is_aligned<Results::vector_bytes>(out)) {
    store_columns<vectors>(out, results);
    return;
  }
#pragma unroll
  for (int c = 0; c < Results::count; ++c) out[c] = results.item[c];
}
