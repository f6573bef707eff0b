// Scans of rows that do not fill vectors: a block has a panel of neighbouring columns of one array. Results of a row
// wait in shared memory until all threads have theirs. Whole sectors of 32 bytes then go to memory as vectors of 16
// bytes, and the few items before and behind them on their own. Stores of parts of sectors take the memory longer than
// those of whole ones.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "thread/axis_scan.cuh"
#include "thread/divided.cuh"
#include "thread/single_columns_scan.cuh"

constexpr int staged_columns = threads_per_block * single_count;
constexpr int results_of_vector = 16 / int(sizeof(Output)), results_of_sector = 2 * results_of_vector;

// A row begins as far behind a sector as in memory.
union StagedRow {
  Output item[staged_columns + results_of_sector];
  Vector<16> vector[staged_columns / results_of_vector + 2];
};

// By turns, so that threads stage the next rows while others still store those before.
struct SharedStorage {
  StagedRow row[2][items_per_thread];
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// How arrays are divided into panels of columns: about equally wide ones, whose first columns are whole sectors apart.
struct RowPanels {
  u64 arrays;
  u64 each;   // of an array
  u64 width;  // of a panel; the last one of an array may have fewer columns
};

__device__ __forceinline__ RowPanels panels_of(const Arguments& arguments) {
  const u64 inner = arguments.inner, least = divided(inner + staged_columns - 1, staged_columns);
  const u64 even = divided(inner + least - 1, least);
  const u64 width = (even + results_of_sector - 1) / results_of_sector * results_of_sector;
  return {divided(arguments.columns, inner), divided(inner + width - 1, width), width};
}

// A block's panel. Of a short axis, a division takes as long as the scan, so the next panel is found by additions.
struct RowPanel {
  u64 array;
  u64 place;  // within the array
};

__device__ __forceinline__ RowPanel panel_of_number(const RowPanels& panels, u64 number) {
  const u64 array = divided(number, panels.each);
  return {array, number - array * panels.each};
}

__device__ __forceinline__ void advance(RowPanel& panel, const RowPanel& step, const RowPanels& panels) {
  panel.array += step.array;
  panel.place += step.place;
  if (panel.place < panels.each) return;
  panel.place -= panels.each;
  ++panel.array;
}

// The whole sectors of a row.
struct RowSectors {
  int shift;  // items of the row behind a sector
  int begin;  // first column
  int end;    // behind the last column; `begin` or less if the row has no whole sector
};

__device__ __forceinline__ RowSectors sectors_of(int shift, int columns) {
  return {shift, (results_of_sector - shift) % results_of_sector, columns - (shift + columns) % results_of_sector};
}

// Of `left` rows.
__device__ __forceinline__ int rows_at_a_time(u64 left) {
  return left < items_per_thread ? int(left) : items_per_thread;
}

// A thread's items of neighbouring rows.
struct StagedItems {
  ColumnItems<Input, false> item[items_per_thread][single_count];
};

__device__ __forceinline__ void load_items(const Input* from, u64 inner, int rows, int columns, StagedItems& items) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
#pragma unroll
    for (int c = 0; c < single_count; ++c) {
      const int column = thread_index() + c * threads_per_block;
      if (i < rows && column < columns) load_columns<false>(from + u64(i) * inner + u64(column), items.item[i][c]);
    }
  }
}

// Scans the items; the results go to the stage, or, where they fill no sector, to memory.
__device__ __forceinline__ void stage_results(const StagedItems& items, int columns, int shift, int step, int rows,
                                              bool has_running, Accumulator (&running)[single_count],
                                              StagedRow (&stage)[items_per_thread], Output* to, u64 inner) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const RowSectors sectors = sectors_of((shift + i * step) % results_of_sector, columns);
#pragma unroll
    for (int c = 0; c < single_count; ++c) {
      const int column = thread_index() + c * threads_per_block;
      if (i >= rows || column >= columns) continue;
      Accumulator own[1] = {running[c]};
      const ColumnItems<Output, false> result = scan_row<false>(items.item[i][c], has_running || i > 0, own);
      running[c] = own[0];
      // Two stores, since one that may go to either memory takes longer.
      if (column >= sectors.begin && column < sectors.end) {
        store_columns<false>(stage[i].item + sectors.shift + column, result);
      } else {
        store_columns<false>(to + u64(i) * inner + u64(column), result);
      }
    }
  }
}

__device__ __forceinline__ void store_staged(const StagedRow (&stage)[items_per_thread], int columns, int shift,
                                             int step, int rows, Output* to, u64 inner) {
  constexpr int vectors = staged_columns / results_of_vector, all = items_per_thread * vectors;
#pragma unroll
  for (int first = 0; first < all; first += threads_per_block) {
    const int at = first + thread_index(), row = at / vectors, column = at % vectors * results_of_vector;
    const RowSectors sectors = sectors_of((shift + row * step) % results_of_sector, columns);
    if (at >= all || row >= rows || sectors.begin + column >= sectors.end) continue;
    Output* const place = to + u64(row) * inner + u64(sectors.begin + column);
    *reinterpret_cast<Vector<16>*>(place) =
        stage[row].vector[(sectors.shift + sectors.begin + column) / results_of_vector];
  }
}

// Scans `columns` columns, of which `first` is the index of the first item. `step`: items that a row begins further
// behind a sector than the one before.
__device__ __forceinline__ void scan_staged_panel(const Arguments& arguments, const Scalars& scalars, u64 first,
                                                  int columns, int step, u32& turn, SharedStorage& shared) {
  const u64 length = arguments.length, inner = arguments.inner;
  const Input* from = arguments.in + first;
  Output* to = arguments.out + first;
  int shift = int(reinterpret_cast<u64>(to) % 32 / sizeof(Output));
  Accumulator running[single_count];
#pragma unroll
  for (int c = 0; c < single_count; ++c) running[c] = initial_of(scalars);
  StagedItems items;
  load_items(from, inner, rows_at_a_time(length), columns, items);
  for (u64 row = 0; row < length; row += items_per_thread, turn ^= 1) {
    StagedRow(&stage)[items_per_thread] = shared.row[turn];
    const int rows = rows_at_a_time(length - row);
    stage_results(items, columns, shift, step, rows, has_initial || row > 0, running, stage, to, inner);
    from += u64(items_per_thread) * inner;
    const u64 left = length - row - u64(rows);
    if (left > 0) load_items(from, inner, rows_at_a_time(left), columns, items);
    block_barrier();
    store_staged(stage, columns, shift, step, rows, to, inner);
    to += u64(items_per_thread) * inner;
    shift = (shift + items_per_thread * step) % results_of_sector;
  }
}

__device__ __forceinline__ void scan_uneven_rows(const Arguments& arguments, const Scalars& scalars) {
  if (!is_aligned<int(sizeof(Output))>(arguments.out) || arguments.columns == 0) {
    scan_single_columns(arguments, scalars);
    return;
  }
  SharedStorage& shared = block_storage<SharedStorage>();
  const u64 inner = arguments.inner;
  const RowPanels panels = panels_of(arguments);
  const RowPanel step = panel_of_number(panels, grid_size());
  u32 turn = 0;
  for (RowPanel panel = panel_of_number(panels, block_index()); panel.array < panels.arrays;
       advance(panel, step, panels)) {
    const u64 column = panel.place * panels.width, left = inner - column;
    scan_staged_panel(arguments, scalars, panel.array * arguments.length * inner + column,
                      int(left < panels.width ? left : panels.width), int(inner % u64(results_of_sector)), turn,
                      shared);
  }
}
