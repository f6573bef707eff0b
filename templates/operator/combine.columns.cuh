// Rows of a few columns combine column by column.
#pragma once

#include "operator/operator.plus.cuh"
#include "parameters.cuh"
#include "value/columns.cuh"

using RowValues = Columns<Value, row_columns>;

__device__ __forceinline__ RowValues combine(const RowValues& a, const RowValues& b) {
  RowValues both;
#pragma unroll
  for (int c = 0; c < row_columns; ++c) both.of[c] = combine(a.of[c], b.of[c]);
  return both;
}

// Tiles exchange what rows combine to.
__device__ __forceinline__ RowValues widen(const RowValues& local) { return local; }
