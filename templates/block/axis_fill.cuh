// How the threads of a block fill the stage, and empty it.
#pragma once

#include "block/axis_copies.async.cuh"
#include "block/axis_stage.cuh"
#include "block/axis_tiles.cuh"
#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/load_units.cuh"

// Begins to fill the stage with a tile that is contiguous memory.
__device__ __forceinline__ void fill_contiguous(const Input* from, const Contiguous& tile, Stage& stage) {
  constexpr int step = threads_per_block;
  const int thread = thread_index(), head = tile.head;
  Input* const to = stage.in + tile.shift;
  if (tile.vectors > 0) {
    const auto* const vectors = reinterpret_cast<const Vector<16>*>(from + head);
    copy_vectors(stage.vector + (tile.shift + head) / items_of_vector + thread, step, vectors + thread, step,
                 share_of_count(tile.vectors, thread, step));
  }
  const int behind = head + tile.vectors * items_of_vector;
  load_units(to + thread, step, from + thread, step, share_of_count(head, thread, step));
  load_units(to + behind + thread, step, from + behind + thread, step,
             share_of_count(tile.items - behind, thread, step));
}

// Stores results from the stage: as vectors, where they lie in memory as the items do.
__device__ __forceinline__ void empty_contiguous(Output* to, const Contiguous& tile, const Stage& stage) {
  constexpr int step = threads_per_block;
  const Output* const from = stage.out + tile.shift;
  int head = tile.items, behind = tile.items;
  if (tile.vectors > 0 && reinterpret_cast<u64>(to) % 16 == u64(tile.shift) * sizeof(Input)) {
    head = tile.head;
    behind = head + tile.vectors * items_of_vector;
    auto* const vectors = reinterpret_cast<Vector<16>*>(to + head);
    const Vector<16>* const staged = stage.vector + (tile.shift + head) / items_of_vector;
#pragma unroll 4
    for (int v = thread_index(); v < tile.vectors; v += step) vectors[v] = staged[v];
  }
  for (int i = thread_index(); i < head; i += step) to[i] = from[i];
  for (int i = behind + thread_index(); i < tile.items; i += step) to[i] = from[i];
}

// Whether the rows of panels are whole vectors of 16 bytes.
__device__ __forceinline__ bool rows_fill_vectors(const Input* in, u64 inner, int columns) {
  return items_divide_vectors && is_aligned<16>(in) && inner % u64(items_of_vector) == 0 &&
         columns % items_of_vector == 0;
}

// A thread's part of the rows of a panel: one unit of some rows.
struct RowShare {
  int unit;   // within a row
  int row;    // the first
  int step;   // rows from one to the next
  int count;  // of rows
};

__device__ __forceinline__ RowShare row_share(int units, int units_there, int rows) {
  RowShare share{thread_index() % units, thread_index() / units, threads_per_block / units, 0};
  if (share.row < share.step && share.unit < units_there) share.count = share_of_count(rows, share.row, share.step);
  return share;
}

// Begins to fill the stage with the rows of a panel of `width` units.
template <bool vectors>
__device__ __forceinline__ void fill_rows(const Arguments& arguments, const Tile& tile, int width, Stage& stage) {
  using Unit = ColumnItems<Input, vectors>;
  const int columns = width * Unit::count;
  const bool by_vectors = rows_fill_vectors(arguments.in, arguments.inner, columns);
  const int items = by_vectors ? items_of_vector : Unit::count, units = columns / items;
  const RowShare share = row_share(units, tile.columns / items, tile.rows);
  if (share.count == 0) return;
  const u64 column = tile.first_column + u64(share.unit * items);
  const Input* const from = arguments.in + item_of_column(column, arguments.length, arguments.inner) +
                            (tile.row + u64(share.row)) * arguments.inner;
  const u64 step = u64(share.step) * arguments.inner / u64(items);
  const int at = share.row * units + share.unit;
  if (by_vectors) {
    copy_vectors(stage.vector + at, share.step * units, reinterpret_cast<const Vector<16>*>(from), step, share.count);
  } else {
    load_units(reinterpret_cast<Unit*>(stage.in) + at, share.step * units, reinterpret_cast<const Unit*>(from), step,
               share.count);
  }
}
