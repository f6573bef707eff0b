// Folds this thread's items [begin, end) of thread_items column by column, from left to right. A thread's places are
// whole rows, so that place i is of column i % row_columns. Places are counted from place 0 of the first tile, which
// may lie before the array. So column 0 here may be another column of the array. It is the same one in all tiles.
#pragma once

#include "operator/combine.columns.cuh"
#include "parameters.cuh"
#include "thread/load_vectors.forward.cuh"
#include "thread/vector.cuh"

// A column without an item gets the value of the first item. Only the last thread that has items has such columns, and
// nothing comes after them.
template <bool whole>
__device__ __forceinline__ RowValues fold_items(const Input* from, int begin, int end) {
  static_assert(thread_items % row_columns == 0, "a thread's places are whole rows");
  InputVector vectors[vectors_per_thread];
  load_vectors(from, vectors);
  RowValues row;
  Value first;
#pragma unroll
  for (int i = 0; i < thread_items; ++i) {
    if (!whole && (i < begin || i >= end)) continue;
    const Value item = Value(vectors[i / vector_items].item[i % vector_items]);
    if (!whole && i == begin) first = item;
    Value& value = row.of[i % row_columns];
    value = i - row_columns >= (whole ? 0 : begin) ? combine(value, item) : item;
  }
#pragma unroll
  for (int c = 0; c < row_columns; ++c) {
    const int past = begin % row_columns, from_begin = (c - past + row_columns) % row_columns;
    if (!whole && begin + from_begin >= end) row.of[c] = first;
  }
  return row;
}
