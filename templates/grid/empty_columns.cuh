// Columns of no items: the result of each is the initial value.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "parameters.cuh"

__device__ __forceinline__ void finish_empty_columns(const Arguments& arguments, const Accumulator& initial) {
  const u64 thread = u64(block_index()) * threads_per_block + u64(thread_index());
  const u64 threads = u64(grid_size()) * threads_per_block;
  for (u64 column = thread; column < arguments.columns; column += threads) finish(arguments.out + column, initial);
}
