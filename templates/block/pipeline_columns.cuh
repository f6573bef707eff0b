// Where the columns of a thread are in the stages of a pipeline along an axis. The threads that scan or fold are
// worker_threads. Thread t of them has the columns t, t + worker_threads, t + 2 * worker_threads, ... of a panel.
#pragma once

#include "block/pipeline_panels.cuh"
#include "parameters.cuh"

// A thread's columns if panels are whole: for each, the number of its array in the panel (high 16 bits), and its number
// within the array (low 16 bits).
struct WholeColumns {
  u32 packed[columns_per_thread];
};

__device__ __forceinline__ WholeColumns whole_columns(u32 width) {
  WholeColumns columns;
#pragma unroll
  for (int c = 0; c < columns_per_thread; ++c) {
    const u32 number = u32(thread_index() + c * worker_threads), array = number / width;
    columns.packed[c] = array << 16 | (number - array * width);
  }
  return columns;
}

// Where a thread's items of a tile are in a stage: each is at row_of(...) + of_column[c].
template <bool is_whole>
struct Places {
  u8* stage;
  int shift;                          // (address of the first item) % run_grid
  int of_column[columns_per_thread];  // bytes; if panels are whole, the place of the column's array is added
};

template <bool is_whole>
__device__ __forceinline__ Places<is_whole> places_of(u8* stage, u64 address, const WholeColumns& whole,
                                                      const Panels& panels) {
  Places<is_whole> places;
  places.stage = stage;
  places.shift = int(address % run_grid);
#pragma unroll
  for (int c = 0; c < columns_per_thread; ++c) {
    const int column = is_whole ? int(whole.packed[c] & 0xffff) : thread_index() + c * worker_threads;
    const int array = is_whole ? place_of_run(panels, places.shift, int(whole.packed[c] >> 16)) : 0;
    places.of_column[c] = array + column * int(sizeof(Input));
  }
  return places;
}

template <bool is_whole>
__device__ __forceinline__ u8* row_of(const Places<is_whole>& places, const Panels& panels, int row) {
  return places.stage + (is_whole ? row * panels.width * int(sizeof(Input)) : place_of_run(panels, places.shift, row));
}
