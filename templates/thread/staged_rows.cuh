// Rows of a tile that wait in a stage of shared memory: a thread folds its columns of some of them.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/runs.cuh"

// Where a thread's columns of the rows are.
struct StagedRows {
  const u8* at;  // of the first row, if it begins at a multiple of run_grid
  int pitch;     // bytes from one row to the next
  int shift;     // by which the first row begins behind such a multiple
  int drift;     // by which the shift of each next row is greater, modulo run_grid
};

template <bool even>
__device__ __forceinline__ const Input* staged_row(const StagedRows& rows, int row) {
  const int shift = even ? rows.shift : (rows.shift + row * rows.drift) % run_grid;
  return reinterpret_cast<const Input*>(rows.at + row * rows.pitch + shift);
}

// Folds `batch` rows, every step-th one, onto `total`, if has_total. All are loaded before any is used. `turns`: the
// rows are loaded and folded from number `turn` of the batch on, and then the others.
template <bool vectors, bool even, bool turns, int batch>
__device__ __forceinline__ void fold_staged_batch(const StagedRows& staged, int row, int step, int turn, bool has_total,
                                                  Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  constexpr bool can_turn = turns && (batch & (batch - 1)) == 0;
  ColumnRows<vectors, batch> rows;
#pragma unroll
  for (int i = 0; i < batch; ++i) {
    const int number = can_turn ? (i + turn) & (batch - 1) : i;
    load_columns<vectors>(staged_row<even>(staged, row + number * step), rows.row[i]);
  }
  fold_rows<vectors, true>(rows, batch, has_total, total);
}

// Folds the rows from `row` to `end`, every step-th one and at least one, onto `total`, if has_total.
template <bool vectors, bool even, bool turns>
__device__ __forceinline__ void fold_staged(const StagedRows& staged, int row, int step, int end, int turn,
                                            bool has_total, Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  constexpr int batch = items_per_thread, few = batch > 4 ? 4 : 1;
  for (; row + (batch - 1) * step < end; row += batch * step, has_total = true) {
    fold_staged_batch<vectors, even, turns, batch>(staged, row, step, turn, has_total, total);
  }
#pragma unroll 1
  for (; few > 1 && row + (few - 1) * step < end; row += few * step, has_total = true) {
    fold_staged_batch<vectors, even, turns, few>(staged, row, step, turn, has_total, total);
  }
#pragma unroll 1
  for (; row < end; row += step, has_total = true) {
    fold_staged_batch<vectors, even, false, 1>(staged, row, step, turn, has_total, total);
  }
}

// `turns` only if the operator commutes.
template <bool vectors, bool turns>
__device__ __forceinline__ void fold_staged_rows(const StagedRows& staged, int row, int step, int end, int turn,
                                                 bool has_total,
                                                 Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  if (staged.drift == 0) {
    fold_staged<vectors, true, turns>(staged, row, step, end, turn, has_total, total);
  } else {
    fold_staged<vectors, false, false>(staged, row, step, end, turn, has_total, total);
  }
}
