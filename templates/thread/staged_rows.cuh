// Rows of a tile that wait in a stage of shared memory: a thread folds its columns of some of them.
#pragma once

#include "parameters.cuh"
#include "pipeline/runs.cuh"
#include "thread/axis_columns.cuh"

// Where the rows of a tile are in its stage.
struct StagedRows {
  const u8* stage;
  int shift;  // bytes before the first row
  int drift;  // by which the shift of each next row is greater, modulo run_grid
  int pitch;
};

__device__ __forceinline__ StagedRows staged_rows(const u8* stage, const Runs& runs) {
  return {stage, int(runs.from % run_grid), runs.count == 1 ? 0 : int(runs.step % run_grid), runs.pitch};
}

template <bool even>
__device__ __forceinline__ const Input* staged_row(const StagedRows& rows, int row) {
  const int shift = even ? rows.shift : (rows.shift + row * rows.drift) % run_grid;
  return reinterpret_cast<const Input*>(rows.stage + row * rows.pitch + shift);
}

// Folds the first `valid` rows, or as many as are loaded at a time, onto `total`, if has_total. `first` and `step`: of
// the rows; `column`: the thread's first one.
template <bool vectors, bool even, bool all>
__device__ __forceinline__ void fold_staged_batch(const StagedRows& staged, int column, int first, int step, int valid,
                                                  bool has_total,
                                                  Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  ColumnRows<vectors> rows{};
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (all || i < valid) load_columns<vectors>(staged_row<even>(staged, first + i * step) + column, rows.row[i]);
  }
  fold_rows<vectors, all>(rows, valid, has_total, total);
}

// Folds `count` rows of a thread's columns, every step-th one, onto `total`, if has_total.
template <bool vectors, bool even>
__device__ __forceinline__ void fold_staged(const StagedRows& staged, int column, int first, int step, int count,
                                            bool has_total, Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  int i = 0;
  for (; i + items_per_thread <= count; i += items_per_thread) {
    fold_staged_batch<vectors, even, true>(staged, column, first + i * step, step, items_per_thread, has_total || i > 0,
                                           total);
  }
  if (i < count) {
    fold_staged_batch<vectors, even, false>(staged, column, first + i * step, step, count - i, has_total || i > 0,
                                            total);
  }
}

template <bool vectors>
__device__ __forceinline__ void fold_staged_rows(const StagedRows& staged, int column, int first, int step, int count,
                                                 bool has_total,
                                                 Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  if (staged.drift == 0) {
    fold_staged<vectors, true>(staged, column, first, step, count, has_total, total);
  } else {
    fold_staged<vectors, false>(staged, column, first, step, count, has_total, total);
  }
}
