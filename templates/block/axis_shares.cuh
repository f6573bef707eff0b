// The rows of an array along an axis, tile by tile. Rows are `inner` items, which are contiguous memory. Rows that are
// wider than two panels are divided into panels of neighbouring columns, and the rows of one panel come after those of
// another.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/divided.cuh"
#include "thread/runs.cuh"

// The most columns of a panel, or of whole rows.
constexpr int share_columns = 2 * panel_width * columns_per_thread;

// The last warp of a block loads tiles, and the others fold them.
constexpr int fold_threads = threads_per_block - warp_size;

struct AxisRows {
  u64 length;  // rows of an axis
  u64 rows;    // of all axes of a panel
  u64 panels;
  int width;      // units of a panel: a thread has one
  int columns;    // that these are
  int groups;     // of `width` threads
  int pitch;      // bytes from one row to the next in a stage
  int drift;      // by how much farther the next row begins behind a multiple of run_grid
  bool is_whole;  // tiles have whole rows, which are one run
  bool is_short;  // tiles have whole axes
  int unit;       // rows; of longer axes, shares and all tiles but an axis' first one begin at multiples of it
  int tile_rows;  // at most
};

// The least number of rows, or of axes, of so many bytes each that are a multiple of 128 bytes together, which is a
// line of the memory. Tiles that begin with a line are loaded faster: 2^26 items of f32 along axes of 22,369,621 x 3
// and 1,000,003 x 67 take 72 and 73 us so, and 79 and 77 us otherwise (H200, driver 580.159.04, 2026-11-28).
__device__ __forceinline__ int rows_of_lines(int bytes) {
  int rows = 128;
  while (bytes % 2 == 0 && rows > 1) {
    bytes /= 2;
    rows /= 2;
  }
  return rows;
}

// Divides the rows into tiles: of whole axes if these are short, otherwise of about equally many rows.
__device__ __forceinline__ void divide_rows(AxisRows& rows) {
  constexpr u64 many_tiles = 4;  // of an axis, where one tile more for the rows before the first line does not count
  const u64 most = u64(stage_bytes / rows.pitch);
  rows.is_short = rows.length <= most;
  rows.unit = 1;
  if (rows.is_short) {
    const int axes = int(divided(most, rows.length)), of_lines = rows_of_lines(int(rows.length) * rows.pitch);
    rows.tile_rows = int(rows.length) * (rows.is_whole && 2 * of_lines <= axes ? axes / of_lines * of_lines : axes);
    return;
  }
  const u64 tiles = divided(rows.length + most - 1, most);
  const int even = int(divided(rows.length + tiles - 1, tiles)), of_lines = rows_of_lines(rows.pitch);
  if (rows.is_whole && tiles >= many_tiles && 2 * of_lines <= even) rows.unit = of_lines;
  const int units = (even + rows.unit - 1) / rows.unit, room = int(most) / rows.unit;
  rows.tile_rows = (units < room ? units : room) * rows.unit;
}

// Rows of at most twice panel_width units are whole in a tile. Panels of others are about equally wide, as far as they
// begin at whole sectors.
template <bool vectors>
__device__ __forceinline__ AxisRows axis_rows(const Arguments& arguments) {
  constexpr int count = ColumnItems<Input, vectors>::count, sector_units = 8;
  const u64 units = arguments.inner / count;
  AxisRows rows;
  rows.length = arguments.length;
  rows.rows = divided(arguments.columns, arguments.inner) * arguments.length;
  rows.is_whole = units <= u64(2 * panel_width);
  rows.panels = 1;
  u64 width = units;
  if (!rows.is_whole) {
    const u64 panels = divided(units + panel_width - 1, panel_width);
    const u64 even = (divided(units + panels - 1, panels) + sector_units - 1) / sector_units * sector_units;
    width = even < u64(panel_width) ? even : u64(panel_width);
    rows.panels = divided(units + width - 1, width);
  }
  rows.width = int(width);
  rows.columns = rows.width * count;
  rows.groups = fold_threads / rows.width;
  rows.pitch = rows.columns * int(sizeof(Input));
  rows.drift = 0;
  if (!rows.is_whole) {
    rows.pitch = (rows.pitch + 2 * run_grid - 2) / run_grid * run_grid;
    rows.drift = int(arguments.inner * sizeof(Input) % run_grid);
  }
  divide_rows(rows);
  return rows;
}

// A block's way through a share, which is neighbouring rows: the place of the next tile.
struct Walk {
  u64 left;  // rows of the share
  u64 panel;
  u64 row;       // within the panel
  u64 axis;      // within the panel
  u64 together;  // rows until a tile ends at the latest: at the end of the axis, or that of the panel
};

__device__ __forceinline__ Walk begin_walk(const AxisRows& rows, u64 row, u64 count) {
  Walk walk;
  walk.left = count;
  walk.panel = rows.panels == 1 ? 0 : divided(row, rows.rows);
  walk.row = row - walk.panel * rows.rows;
  walk.axis = divided(walk.row, rows.length);
  walk.together = rows.is_short ? rows.rows - walk.row : rows.length - (walk.row - walk.axis * rows.length);
  return walk;
}

__device__ __forceinline__ int tile_rows_of(const AxisRows& rows, const Walk& walk) {
  const u64 most = walk.left < walk.together ? walk.left : walk.together;
  const int until_line = rows.unit > 1 ? rows.tile_rows - int(walk.row % u64(rows.unit)) : rows.tile_rows;
  return most < u64(until_line) ? int(most) : until_line;
}

// Goes on behind a tile of so many rows, and of so many whole axes if axes are short.
__device__ __forceinline__ void advance(const AxisRows& rows, int tile_rows, int axes, Walk& walk) {
  walk.left -= u64(tile_rows);
  walk.row += u64(tile_rows);
  walk.together -= u64(tile_rows);
  walk.axis += u64(axes);
  if (walk.together > 0) return;
  if (!rows.is_short) ++walk.axis;
  if (walk.row == rows.rows) {
    walk.row = walk.axis = 0;
    ++walk.panel;
  }
  walk.together = rows.is_short ? rows.rows : rows.length;
}

// Columns of a panel: the last one may have fewer.
__device__ __forceinline__ int panel_columns_of(const AxisRows& rows, u64 panel, u64 inner) {
  const u64 left = inner - panel * u64(rows.columns);
  return left < u64(rows.columns) ? int(left) : rows.columns;
}

// The rows of the next tile as they are in memory.
__device__ __forceinline__ Runs runs_of(const AxisRows& rows, const Walk& walk, int tile_rows,
                                        const Arguments& arguments) {
  const u64 first = walk.row * arguments.inner + walk.panel * u64(rows.columns);
  Runs runs;
  runs.from = reinterpret_cast<u64>(arguments.in + first);
  runs.step = arguments.inner * sizeof(Input);
  runs.count = rows.is_whole ? 1 : tile_rows;
  runs.bytes =
      rows.is_whole ? tile_rows * rows.pitch : panel_columns_of(rows, walk.panel, arguments.inner) * int(sizeof(Input));
  runs.pitch = rows.pitch;
  return runs;
}
