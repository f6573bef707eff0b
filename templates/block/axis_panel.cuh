// A panel: neighbouring columns that a block works on at a time. Its threads are groups of `width` threads: the threads
// of a group have neighbouring columns, so that they load and store neighbouring items, and the groups have the rows.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/divided.cuh"

// A value of each thread of a block for each column that the thread has.
struct PanelValues {
  Accumulator of_column[columns_per_thread][threads_per_block];
};

struct Panel {
  u64 units;   // that all columns are: a thread has one
  u64 panels;  // that all units are
  int width;   // threads of a group
  int groups;
};

// Panels of panel_width units. Where so few rows are there that the groups of a wider panel can have all of them,
// `rows_each` each, panels are wider.
__device__ __forceinline__ Panel panel_of(u64 units, u64 length, int rows_each) {
  Panel panel{units, 1, units < panel_width ? int(units) : panel_width, 1};
  while (2 * panel.width <= threads_per_block && u64(panel.width) < units &&
         u64(threads_per_block / (2 * panel.width)) * u64(rows_each) >= length) {
    panel.width *= 2;
  }
  panel.panels = divided(units + u64(panel.width) - 1, u64(panel.width));
  // About equally wide ones, as far as they begin at whole sectors.
  const u64 even = (divided(units + panel.panels - 1, panel.panels) + 7) / 8 * 8;
  if (even < u64(panel.width)) panel.width = int(even);
  panel.panels = divided(units + u64(panel.width) - 1, u64(panel.width));
  panel.groups = threads_per_block / panel.width;
  return panel;
}

template <int count>
__device__ __forceinline__ void store_values(PanelValues& values, int at, const Accumulator (&value)[count]) {
#pragma unroll
  for (int c = 0; c < count; ++c) values.of_column[c][at] = value[c];
}

template <int count>
__device__ __forceinline__ void load_values(const PanelValues& values, int at, Accumulator (&value)[count]) {
#pragma unroll
  for (int c = 0; c < count; ++c) value[c] = values.of_column[c][at];
}

// left[c] = combine(left[c], right[c])
template <int count>
__device__ __forceinline__ void append_values(Accumulator (&left)[count], const Accumulator (&right)[count]) {
#pragma unroll
  for (int c = 0; c < count; ++c) left[c] = combine(left[c], right[c]);
}

// Folds the totals of the first `active` groups, at least one, in their order; the first group gets the results. Called
// by all threads of the block; `has_total`: whether this thread has one.
template <int count>
__device__ __forceinline__ void fold_groups(Accumulator (&total)[count], bool has_total, int active, int width,
                                            PanelValues& values) {
  const int group = thread_index() / width;
  for (int distance = 1; distance < active; distance *= 2) {
    if (has_total) store_values(values, thread_index(), total);
    block_barrier();
    if (has_total && group % (2 * distance) == 0 && group + distance < active) {
      Accumulator above[count];
      load_values(values, thread_index() + distance * width, above);
      append_values(total, above);
    }
    block_barrier();
  }
}
