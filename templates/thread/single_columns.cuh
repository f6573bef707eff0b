// Columns of a thread whose items of a row are no vector.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"

// Neighbouring threads have neighbouring columns; those of one thread are as many columns apart as a block has threads.
constexpr int single_count = columns_per_thread < 4 ? columns_per_thread : 4;

struct SingleColumns {
  u64 column[single_count];
  u64 first[single_count];  // index of the first item
  bool is_there[single_count];
};

__device__ __forceinline__ SingleColumns single_columns(const Arguments& arguments, u64 begin) {
  SingleColumns columns;
#pragma unroll
  for (int c = 0; c < single_count; ++c) {
    const u64 column = begin + u64(c * threads_per_block + thread_index());
    columns.column[c] = column;
    columns.is_there[c] = column < arguments.columns;
    columns.first[c] = columns.is_there[c] ? item_of_column(column, arguments.length, arguments.inner) : 0;
  }
  return columns;
}
