// A thread folds and scans rows among which axes begin: every `length` rows, first after `begin` rows.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "block/axis_stage.cuh"
#include "parameters.cuh"
#include "thread/axis_columns.cuh"

// Of `rows` rows, the one where the last axis begins. One does.
__device__ __forceinline__ int last_begin(int rows, int begin, u64 length) {
  const int each = length < u64(rows) ? int(length) : rows;
  return begin + (rows - 1 - begin) / each * each;
}

// Folds rows [row, rows), of which there is at least one: the first one is at `first` in the stage.
template <bool vectors>
__device__ __forceinline__ void fold_staged(const Stage& stage, int first, int pitch, int row, int rows,
                                            Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  bool has_total = false;
  ColumnRows<vectors> loaded;
  for (; row + items_per_thread <= rows; row += items_per_thread) {
    load_staged<vectors, true>(stage, first + row * pitch, pitch, items_per_thread, loaded);
    fold_rows<vectors, true>(loaded, items_per_thread, has_total, total);
    has_total = true;
  }
  ColumnRows<vectors, 1> one;
  for (; row < rows; ++row) {
    load_columns<vectors>(stage.in + first + row * pitch, one.row[0]);
    fold_rows<vectors, true>(one, 1, has_total, total);
    has_total = true;
  }
}

// What a thread's columns have before the next row.
template <int count>
struct Running {
  Accumulator value[count];
  bool has_value;
};

// Scans the rows of a batch; the results take their place. `begin`: rows until an axis begins, if some do.
template <bool vectors, bool begins, int batch>
__device__ __forceinline__ void scan_batch(Stage& stage, int first, int pitch, Accumulator initial, int length,
                                           int& begin, Running<ColumnItems<Input, vectors>::count>& running) {
  ColumnRows<vectors, batch> rows;
#pragma unroll
  for (int i = 0; i < batch; ++i) load_columns<vectors>(stage.in + first + i * pitch, rows.row[i]);
#pragma unroll
  for (int i = 0; i < batch; ++i) {
    const bool is_begin = begins && begin == 0;
    if (begins) begin = (is_begin ? length : begin) - 1;
    ColumnItems<Output, vectors> results;
#pragma unroll
    for (int c = 0; c < ColumnItems<Input, vectors>::count; ++c) {
      const Accumulator item = lift(rows.row[i].item[c]);
      if (has_initial && is_begin) running.value[c] = initial;
      const bool has_before = has_initial || (running.has_value && !is_begin);
      const Accumulator inclusive = has_before ? combine(running.value[c], item) : item;
      results.item[c] = Output(emit(running.value[c], inclusive));
      running.value[c] = inclusive;
    }
    running.has_value = true;
    store_columns<vectors>(stage.out + first + i * pitch, results);
  }
}

template <bool vectors, bool begins>
__device__ __forceinline__ void scan_staged(Stage& stage, int first, int pitch, int rows, Accumulator initial,
                                            int length, int begin,
                                            Running<ColumnItems<Input, vectors>::count>& running) {
  int row = 0;
  for (; row + items_per_thread <= rows; row += items_per_thread) {
    scan_batch<vectors, begins, items_per_thread>(stage, first + row * pitch, pitch, initial, length, begin, running);
  }
  for (; row < rows; ++row) {
    scan_batch<vectors, begins, 1>(stage, first + row * pitch, pitch, initial, length, begin, running);
  }
}
