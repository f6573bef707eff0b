// What the parts of the schedule axis_shares have in common, and its folds of axes that a tile has room for.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "block/axis_shares.cuh"
#include "block/column_teams.cuh"
#include "block/group_share.cuh"
#include "grid/partial.word_32.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/staged_rows.cuh"

// Global memory that outlives the launch: slots. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) Workspace {
  u32 unused;
};

// Of a block. An axis that ends in another block's share begins in that of the first one that has rows of it.
struct ShareSlot {
  Partial of_begun[share_columns];  // of the axis that began in an earlier share
  Partial of_open[share_columns];   // of the axis that begins in this share and ends in a later one
  u32 finished;                     // blocks whose partial results of that axis are there
};

struct SharedStorage {
  alignas(128) u8 stage[stages][stage_bytes + 2 * run_grid];
  Accumulator values[2][threads_per_block * columns_per_thread];
  Accumulator carry[in_order ? share_columns : 1];  // of the open axis, by column
  PhaseBarrier full[stages];
  bool completes[2];
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ ShareSlot* slots_of(Workspace* workspace) {
  return reinterpret_cast<ShareSlot*>(workspace + 1);
}

// What does not change during a call.
struct Call {
  const Arguments& arguments;
  const AxisRows rows;
  const Shares shares;
  const Accumulator initial;
  SharedStorage& shared;
};

struct Tile {
  u64 panel;
  u64 axis;  // the first one
  int rows;
  int columns;
  int axes;   // whole ones; 0: the axis is longer
  int parts;  // of a short axis, that threads fold apart; 0: the axis is longer
  bool ends_axis;
  bool ends;  // the axis, or the block's share of it
  StagedRows staged;
};

// The result of a column of an axis. `panel` and `column`: where it is in a row.
__device__ __forceinline__ void finish_column(const Call& call, u64 panel, u64 axis, int column, Accumulator total) {
  const u64 result = axis * call.arguments.inner + panel * u64(call.rows.columns) + u64(column);
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
  const int most = length / least_rows, room = threads_per_block / units, parts = room < most ? room : most;
  return parts > 1 ? parts : 1;
}

__device__ __forceinline__ Share share_of_part(int length, int part, int parts) {
  return share_of(length, part, parts, (length + parts - 1) / parts | 1);
}

// Each thread folds whole axes, of one unit each.
template <bool vectors>
__device__ __forceinline__ void fold_whole_axes(const Call& call, const Tile& tile) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const int width = call.rows.width, length = int(call.rows.length);
  const int axis_step = threads_per_block / width, unit_step = threads_per_block - axis_step * width;
  int axis = thread_index() / width, unit = thread_index() - axis * width;
  while (axis < tile.axes) {
    if (unit * count < tile.columns) {
      Accumulator total[count];
      fold_staged_rows<vectors>(tile.staged, unit * count, axis * length, 1, length, false, total);
#pragma unroll
      for (int c = 0; c < count; ++c)
        finish_column(call, tile.panel, tile.axis + u64(axis), unit * count + c, total[c]);
    }
    axis += axis_step;
    unit += unit_step;
    if (unit >= width) {
      unit -= width;
      ++axis;
    }
  }
}

// Each thread folds a part of an axis, of one unit. The values wait in shared memory.
template <bool vectors>
__device__ __forceinline__ void fold_axis_parts(const Call& call, const Tile& tile, Accumulator* values) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const int width = call.rows.width, length = int(call.rows.length);
  const int number = thread_index() / width, unit = thread_index() - number * width;
  const int axis = number / tile.parts, part = number - axis * tile.parts;
  const Share share = share_of_part(length, part, tile.parts);
  if (axis >= tile.axes || unit * count >= tile.columns || share.count == 0) return;
  Accumulator total[count];
  fold_staged_rows<vectors>(tile.staged, unit * count, axis * length + share.first, share.step, share.count, false,
                            total);
  keep_values(values + ((axis * share.active + part) * width + unit) * count, total);
}

__device__ __forceinline__ void finish_axis_parts(const Call& call, const Tile& tile, const Accumulator* values) {
  const int active = share_of_part(int(call.rows.length), 0, tile.parts).active;
  fold_parts(values, tile.axes, tile.columns, call.rows.columns, active, [&](int axis, int column, Accumulator total) {
    finish_column(call, tile.panel, tile.axis + u64(axis), column, total);
  });
}
