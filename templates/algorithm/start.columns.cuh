// The exclusive prefix of the first row: the initial value for each column.
#pragma once

#include "operator/combine.columns.cuh"
#include "parameters.cuh"

__device__ __forceinline__ RowValues initial_of(const Scalars& scalars) {
  RowValues row;
#pragma unroll
  for (int c = 0; c < row_columns; ++c) row.of[c] = scalars.initial;
  return row;
}
