// How scans along an axis divide the items into tiles: `rows` rows of a panel of neighbouring columns. The threads of a
// block are groups of `width` threads: the threads of a group have neighbouring columns, and the groups have the rows.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"

struct Tiles {
  u64 units;   // that all columns are: a thread has one
  u64 panels;  // that all units are
  int width;   // units of a panel, and threads of a group
  int parts;   // of a panel of whole rows: indices of the dimensions before the axis
  int groups;
  int rows_each;  // of a group, at most
  int rows;       // of a tile; the last one along the axis may have fewer
  u32 along;      // tiles of a chain
};

// The most rows of a thread: their number is odd, so that the threads of a warp meet in few banks. Threads that have
// one column each instead of several have more rows.
template <bool vectors>
constexpr int most_rows = vectors ? rows_per_thread : (rows_per_thread* columns_per_thread - 1) | 1;

// Tiles that are whole rows are contiguous memory: where columns are few. Panels of rows that are not whole sectors of
// 32 bytes would share sectors, so that twice as many columns count as few there.
__device__ __forceinline__ bool has_whole_rows(const Arguments& arguments) {
  const bool is_even = arguments.inner * sizeof(Input) % 32 == 0;
  return arguments.inner <= u64(is_even ? contiguous_columns : 2 * contiguous_columns);
}

// A panel is all columns of one index of the dimensions before the axis, or, where a tile has room for the whole axis,
// of as many indices as it has room for.
template <bool vectors>
__device__ __forceinline__ void divide_parts(u64 length, u64 inner, Tiles& tiles) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  constexpr u64 most_items = u64(threads_per_block) * u64(most_rows<vectors>) * count;
  const int width = int(inner) / count;
  int parts = length <= most_items / inner ? int(most_items / (length * inner)) : 1;
  if (parts > threads_per_block / width) parts = threads_per_block / width;
  while (parts > 1 && u64(threads_per_block / (parts * width)) * u64(most_rows<vectors>) < length) --parts;
  if (parts < 1) parts = 1;
  const u64 all_parts = tiles.units / u64(width);
  if (all_parts < u64(parts)) parts = int(all_parts);
  tiles.parts = parts;
  tiles.width = parts * width;
  tiles.panels = (all_parts + u64(parts) - 1) / u64(parts);
}

// Panels of panel_width threads with vectors, and of as many columns without. Where there are so few rows that the
// groups of a wider panel can have all of them, panels are wider.
template <bool vectors>
__device__ __forceinline__ void divide_columns(u64 length, u64 inner, Tiles& tiles) {
  constexpr int unit_bytes = ColumnItems<Input, vectors>::count * int(sizeof(Input));
  int width = vectors ? panel_width : panel_width * columns_per_thread;
  while (2 * width <= threads_per_block && u64(width) < tiles.units &&
         u64(threads_per_block / (2 * width)) * u64(most_rows<vectors>) >= length) {
    width *= 2;
  }
  if (tiles.units < u64(width)) width = int(tiles.units);
  tiles.panels = (tiles.units + u64(width) - 1) / u64(width);
  // About equally wide ones. They begin at whole sectors of 32 bytes where rows do, or at whole vectors.
  const int grain_bytes = inner * sizeof(Input) % 32 == 0 ? 32 : inner * sizeof(Input) % 16 == 0 ? 16 : 1;
  const u64 grain = grain_bytes > unit_bytes ? u64(grain_bytes / unit_bytes) : 1;
  const u64 even = ((tiles.units + tiles.panels - 1) / tiles.panels + grain - 1) / grain * grain;
  if (even < u64(width)) width = int(even);
  tiles.panels = (tiles.units + u64(width) - 1) / u64(width);
  tiles.width = width;
  tiles.parts = 1;
}

// More tiles than there are tickets are refused: 2^31 of at least 32 items.
template <bool vectors, bool whole_rows>
__device__ __forceinline__ Tiles tiles_of(const Arguments& arguments) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const u64 length = arguments.length > 0 ? arguments.length : 1;
  Tiles tiles;
  tiles.units = arguments.columns / count;
  if (whole_rows) {
    divide_parts<vectors>(length, arguments.inner, tiles);
  } else {
    divide_columns<vectors>(length, arguments.inner, tiles);
  }
  tiles.groups = threads_per_block / tiles.width;
  // About equally many rows.
  const u64 most = u64(tiles.groups) * u64(most_rows<vectors>);
  const u64 rows = (length + (length - 1) / most) / ((length - 1) / most + 1);
  tiles.rows_each = int((rows + u64(tiles.groups) - 1) / u64(tiles.groups)) | 1;
  tiles.rows = tiles.groups * tiles.rows_each;
  const u64 along = (length - 1) / u64(tiles.rows) + 1;
  if ((tiles.panels | along) >> 31 != 0 || tiles.panels * along >> 31 != 0) abort_kernel();
  tiles.along = u32(along);
  return tiles;
}

struct Tile {
  u32 number;  // of its chain
  int rows;
  int columns;       // that are there
  u64 row;           // the first
  u64 first_column;  // of the panel
  u64 first_item;    // of a tile that is contiguous
};

template <bool vectors>
__device__ __forceinline__ Tile tile_of(const Tiles& tiles, const Arguments& arguments, u32 number) {
  constexpr int count = ColumnItems<Input, vectors>::count;
  const u32 panels = u32(tiles.panels), panel = number % panels;
  const u64 unit = u64(panel) * u64(tiles.width);
  Tile tile;
  tile.number = number / panels;
  tile.row = u64(tile.number) * u64(tiles.rows);
  tile.rows = arguments.length - tile.row < u64(tiles.rows) ? int(arguments.length - tile.row) : tiles.rows;
  tile.columns = (tiles.units - unit < u64(tiles.width) ? int(tiles.units - unit) : tiles.width) * count;
  tile.first_column = unit * count;
  tile.first_item = (u64(panel) * u64(tiles.parts) * arguments.length + tile.row) * arguments.inner;
  return tile;
}

// Rows of a tile that the group has of the column; none, if not positive.
__device__ __forceinline__ int rows_of(const Tiles& tiles, const Tile& tile, int group, int column) {
  if (group >= tiles.groups || column >= tile.columns) return 0;
  const int left = tile.rows - group * tiles.rows_each;
  return left < tiles.rows_each ? left : tiles.rows_each;
}

// Groups that have rows: at least one.
__device__ __forceinline__ int active_groups(const Tiles& tiles, const Tile& tile) {
  return (tile.rows + tiles.rows_each - 1) / tiles.rows_each;
}
