// What the parts of the schedule axis_shares have in common, and its folds of axes that a tile has room for.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "block/column_teams.cuh"
#include "grid/row_shares.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/staged_rows.cuh"

// What is known of a tile.
struct Tile {
  u64 result;  // index of that of the first column, of the first axis
  int rows;    // 0: there are no more tiles
  int columns;
  int shift;  // where the first row begins in the stage
  int axes;   // whole ones; 0: the axis is longer
  int parts;  // of a short axis, that threads fold apart; 0: the axis is longer
  u32 share;
  bool has_begun;  // the axis, in an earlier share
  bool ends_axis;
  bool begins_share;
  bool ends_share;
};

struct SharedStorage {
  alignas(128) u8 stage[stages][stage_bytes + 2 * run_grid];
  Tile tile[stages];
  Accumulator values[2][fold_threads * columns_per_thread];
  Accumulator carry[share_columns];  // of the open axis, by column
  PhaseBarrier full[stages];
  PhaseBarrier empty[stages];
  PhaseBarrier met;  // all warps that fold have kept their values
  u32 epoch;
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// What does not change during a call.
struct Call {
  const Arguments& arguments;
  const AxisRows rows;
  const Shares shares;
  const Accumulator initial;
  SharedStorage& shared;
};

// A thread's place among those that fold.
struct Place {
  int group;   // fold_threads / width or more: the thread has no columns
  int column;  // the first one
};

__device__ __forceinline__ void finish_result(const Call& call, u64 result, Accumulator total) {
  finish(call.arguments.out + result, combine(call.initial, total));
}

template <int count>
__device__ __forceinline__ void keep_values(Accumulator* to, const Accumulator (&value)[count]) {
#pragma unroll
  for (int c = 0; c < count; ++c) to[c] = value[c];
}

// ---- short axes: tiles have whole ones

// Parts of an axis that threads fold apart: more than one where a tile has fewer units than the block has threads.
__device__ __forceinline__ int parts_of(int units, int length) {
  constexpr int least_rows = 4;
  const int most = length / least_rows, room = fold_threads / units, parts = room < most ? room : most;
  return parts > 1 ? parts : 1;
}

// Whether the threads of a warp would read the same banks where they begin with the first rows of neighbouring axes.
__device__ __forceinline__ bool should_turn(const AxisRows& rows) {
  constexpr int banks_bytes = 128;
  return !in_order && rows.is_short && rows.pitch < banks_bytes &&
         int(rows.length) * rows.pitch % (banks_bytes / 2) == 0;
}

// Each thread folds whole axes, of one unit each: unit number thread_index() of the tile, and so on.
template <bool vectors, bool turns>
__device__ __forceinline__ void fold_whole_axes(const Call& call, const Tile& tile, const Place& place,
                                                const u8* stage) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const int length = int(call.rows.length), width = call.rows.columns;
  const int axis_step = call.rows.groups, column_step = (fold_threads - axis_step * call.rows.width) * count;
  int axis = place.group, column = place.column;
  while (axis < tile.axes) {
    if (column < tile.columns) {
      const StagedRows staged{stage + column * int(sizeof(Input)), call.rows.pitch, tile.shift, call.rows.drift};
      Accumulator total[count];
      fold_staged_rows<vectors, turns>(staged, axis * length, 1, axis * length + length, axis, false, total);
      const u64 result = tile.result + u64(axis) * call.arguments.inner + u64(column);
#pragma unroll
      for (int c = 0; c < count; ++c) finish_result(call, result + u64(c), total[c]);
    }
    axis += axis_step;
    column += column_step;
    if (column >= width) {
      column -= width;
      ++axis;
    }
  }
}

// Parts that have rows, and rows of each; in_order: an odd number, to avoid bank conflicts.
struct Parts {
  int active;
  int each;
};

__device__ __forceinline__ Parts parts_with_rows(int rows, int parts) {
  if (!in_order) return {parts < rows ? parts : rows, 0};
  const int each = (rows + parts - 1) / parts | 1;
  return {(rows + each - 1) / each, each};
}

// Folds the rows that a part has of `rows` neighbouring ones: every so many-th one, so that threads read neighbouring
// ones at a time; or, if items must be combined in their order, neighbouring ones. Whether it has any.
template <bool vectors, bool turns>
__device__ __forceinline__ bool fold_part(const StagedRows& staged, int first, int rows, int part, int parts,
                                          const Parts& with_rows, int turn, bool has_total,
                                          Accumulator (&total)[ColumnItems<Input, vectors>::count]) {
  const int begin = in_order ? part * with_rows.each : part;
  if (begin >= rows || part >= with_rows.active) return false;
  const int end = in_order && rows - begin > with_rows.each ? begin + with_rows.each : rows;
  fold_staged_rows<vectors, turns>(staged, first + begin, in_order ? 1 : parts, first + end, turn, has_total, total);
  return true;
}

// Each thread folds a part of an axis, of one unit. The values wait in shared memory.
template <bool vectors, bool turns>
__device__ __forceinline__ void fold_axis_parts(const Call& call, const Tile& tile, const Place& place,
                                                const Parts& with_rows, const u8* stage, Accumulator* values) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const int length = int(call.rows.length), axis = place.group / tile.parts, part = place.group - axis * tile.parts;
  if (axis >= tile.axes || place.column >= tile.columns) return;
  const StagedRows staged{stage + place.column * int(sizeof(Input)), call.rows.pitch, tile.shift, call.rows.drift};
  Accumulator total[count];
  if (!fold_part<vectors, turns>(staged, axis * length, length, part, tile.parts, with_rows, axis, false, total)) {
    return;
  }
  keep_values(values + (axis * with_rows.active + part) * call.rows.columns + place.column, total);
}

__device__ __forceinline__ void finish_axis_parts(const Call& call, const Tile& tile, const Parts& with_rows,
                                                  const Accumulator* values) {
  fold_parts<fold_threads>(values, tile.axes, tile.columns, call.rows.columns, with_rows.active,
                           [&](int axis, int column, Accumulator total) {
                             finish_result(call, tile.result + u64(axis) * call.arguments.inner + u64(column), total);
                           });
}

// Folds the axes of a tile, or parts of them.
template <bool vectors, bool turns>
__device__ __forceinline__ void fold_axes(const Call& call, const Tile& tile, const Place& place,
                                          const Parts& with_rows, const u8* stage, Accumulator* values) {
  if (tile.parts == 1) {
    fold_whole_axes<vectors, turns>(call, tile, place, stage);
  } else {
    fold_axis_parts<vectors, turns>(call, tile, place, with_rows, stage, values);
  }
}
