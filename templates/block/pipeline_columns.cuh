// Where the columns of a thread are in the stages of a pipeline along an axis. A thread has columns of a panel that are
// as many apart as there are such threads.
#pragma once

#include "block/pipeline_panels.cuh"
#include "parameters.cuh"

// A thread's columns where panels are whole: the number of each, and that of its array in the panel.
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

// Where the rows of a thread's columns are in a stage.
template <bool is_whole>
struct Places {
  u8* stage;
  int shift;
  int of_column[columns_per_thread];  // bytes behind the begin of a row; if panels are whole, with those of the array
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
