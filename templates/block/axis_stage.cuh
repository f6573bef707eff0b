// A tile in shared memory, row by row without gaps. Results take the place of items if they have the same size.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"

constexpr bool results_fit = sizeof(Input) == sizeof(Output);
constexpr bool items_divide_vectors = 16 % sizeof(Input) == 0;
constexpr int items_of_vector = items_divide_vectors ? 16 / int(sizeof(Input)) : 1;

union Stage {
  Input in[stage_items];
  Output out[results_fit ? stage_items : 1];
  Vector<16> vector[stage_items * sizeof(Input) / 16];
};

// Items of a contiguous tile: a few until the first whole vector in memory, whole vectors, and a few more. In the stage
// they begin as far behind a vector as in memory.
struct Contiguous {
  int shift;  // where the first item is in the stage
  int items;
  int head;     // before the first vector
  int vectors;  // whole
};

__device__ __forceinline__ int shift_of(const Input* from) {
  const bool fills = items_divide_vectors && is_aligned<int(sizeof(Input))>(from);
  return fills ? int(reinterpret_cast<u64>(from) % 16 / sizeof(Input)) : 0;
}

__device__ __forceinline__ Contiguous contiguous_items(const Input* from, int items) {
  if (!items_divide_vectors || !is_aligned<int(sizeof(Input))>(from)) return {0, items, items, 0};
  const int shift = shift_of(from), head = (items_of_vector - shift) % items_of_vector;
  if (head >= items) return {shift, items, items, 0};
  return {shift, items, head, (items - head) / items_of_vector};
}

// How many of `count` things a thread has that begins at the one of its index and goes on by `step`.
__device__ __forceinline__ int share_of_count(int count, int first, int step) {
  return first < count ? (count - first + step - 1) / step : 0;
}

// Loads the first `valid` rows of a thread's columns, or a whole batch of them, from the stage: the first one is at
// `first`, the next ones are `pitch` items behind.
template <bool vectors, bool all>
__device__ __forceinline__ void load_staged(const Stage& stage, int first, int pitch, int valid,
                                            ColumnRows<vectors>& rows) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    // Registers that kept what was in them would be spilled.
    if (!all) rows.row[i] = ColumnItems<Input, vectors>{};
    if (all || i < valid) load_columns<vectors>(stage.in + first + i * pitch, rows.row[i]);
  }
}
