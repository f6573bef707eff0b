// How blocks that scan or fold along an axis alone divide the columns. A panel is neighbouring columns of wide rows, or
// all columns of one or more arrays. A tile is rows of a panel that a stage has room for.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/divided.cuh"
#include "thread/runs.cuh"

constexpr int worker_threads = worker_warps * warp_size;
constexpr int most_columns = worker_threads * columns_per_thread;

struct Panels {
  u64 all;
  u64 each;       // of an array; 1 if they are whole
  bool is_whole;  // a panel has all columns of its arrays
  bool is_short;  // and a tile has all rows of these, which are one run
  int arrays;     // of a panel; the last one may have fewer
  int width;      // columns of an array in a panel; the last panel of an array may have fewer
  int pitch;      // bytes in a stage from one row to the next, or, if panels are whole, from one array to the next
  int drift;      // by how much farther the next row or array begins behind a multiple of run_grid
  int rows;       // of a tile; the last one of a panel may have fewer
};

// Bytes in a stage for a run of so many bytes at any address.
__device__ __forceinline__ int pitch_of(int bytes) { return (bytes + 2 * run_grid - 2) / run_grid * run_grid; }

// Tiles of about equally many rows, where a stage has room for `most`: of whole batches, if it has room for these.
__device__ __forceinline__ int rows_of_tile(u64 length, u64 most) {
  const u64 tiles = divided(length + most - 1, most);
  const int rows = int(divided(length + tiles - 1, tiles));
  const int batches = (rows + items_per_thread - 1) / items_per_thread * items_per_thread;
  return tiles > 1 && u64(batches) <= most ? batches : rows;
}

// The number of panels of an array: `least`, or more if the block with the most panels then has fewer columns by an
// eighth, and panels are not narrow.
__device__ __forceinline__ u64 panels_of_array(u64 arrays, u64 least, u64 row_bytes) {
  constexpr u64 narrow = 2000;
  const u64 grid = u64(grid_size()), waves = divided(arrays * least + grid - 1, grid);
  u64 each = least, of_waves = waves;
  for (u64 w = waves; w < waves + 4; ++w) {
    const u64 count = divided(w * grid, arrays);
    if (count * narrow > row_bytes) break;
    if (8 * w * each >= 7 * of_waves * count) continue;
    each = count;
    of_waves = w;
  }
  return each;
}

// The number of arrays of a panel that has all of their columns. Short axes are one run, and fill a stage. Of longer
// ones, a tile has a run of each array, and fewer arrays have longer runs; but then a thread has more rows of a tile.
// Blocks have as equally many arrays as possible.
__device__ __forceinline__ u64 arrays_of_panel(u64 arrays, u64 length, u64 inner) {
  const u64 row_bytes = inner * sizeof(Input), grid = u64(grid_size()), array_bytes = length * row_bytes;
  const u64 of_rows = divided(u64(stage_bytes) + rows_per_tile * row_bytes - 1, rows_per_tile * row_bytes);
  const u64 of_arrays = array_bytes <= stage_bytes ? divided(u64(stage_bytes), array_bytes) : 0;
  const u64 wanted = length <= u64(rows_per_tile) && of_arrays > 0 ? of_arrays : of_rows;
  const u64 room = u64(stage_bytes / pitch_of(int(row_bytes))), threads = divided(u64(most_columns), inner);
  const u64 most = wanted < room ? wanted : room, count = most < threads ? most : threads;
  const u64 waves = divided(arrays + count * grid - 1, count * grid);  // of panels
  u64 best = count, least = ~u64(0);
  for (u64 w = waves; w < waves + 4; ++w) {
    const u64 fair = divided(arrays + w * grid - 1, w * grid);
    if (2 * fair < count && w > waves) break;
    if (w * fair >= least) continue;
    least = w * fair;
    best = fair;
  }
  return best;
}

__device__ __forceinline__ void set_whole_panels(const Arguments& arguments, u64 arrays, Panels& panels) {
  const u64 length = arguments.length, row_bytes = arguments.inner * sizeof(Input);
  panels.is_whole = true;
  panels.each = 1;
  panels.width = int(arguments.inner);
  panels.arrays = int(arrays_of_panel(arrays, length, arguments.inner));
  panels.all = divided(arrays + u64(panels.arrays) - 1, u64(panels.arrays));
  panels.is_short = u64(panels.arrays) * length * row_bytes <= stage_bytes;
  if (panels.is_short) {
    panels.rows = int(length);
    panels.pitch = int(length * row_bytes);
    panels.drift = 0;
    return;
  }
  const int room = stage_bytes / panels.arrays / run_grid * run_grid;
  panels.rows = rows_of_tile(length, u64(room - run_grid + 1) / row_bytes);
  panels.pitch = pitch_of(panels.rows * int(row_bytes));
  panels.drift = int(length * row_bytes % run_grid);
}

// The first columns of panels are whole sectors of 32 bytes apart, and the panels are about equally wide.
__device__ __forceinline__ void set_divided_panels(const Arguments& arguments, u64 arrays, u64 each, Panels& panels) {
  constexpr u64 sector = sizeof(Input) < 32 ? 32 / sizeof(Input) : 1;
  const u64 inner = arguments.inner, even = (divided(inner + each - 1, each) + sector - 1) / sector * sector;
  panels.is_whole = panels.is_short = false;
  panels.arrays = 1;
  panels.width = int(even);
  panels.each = divided(inner + even - 1, even);
  panels.all = arrays * panels.each;
  panels.pitch = pitch_of(panels.width * int(sizeof(Input)));
  panels.drift = int(inner * sizeof(Input) % run_grid);
  panels.rows = rows_of_tile(arguments.length, u64(stage_bytes / panels.pitch));
}

__device__ __forceinline__ Panels panels_of(const Arguments& arguments) {
  Panels panels;
  const u64 inner = arguments.inner, arrays = divided(arguments.columns, inner);
  const u64 each = panels_of_array(arrays, divided(inner + most_columns - 1, u64(most_columns)), inner * sizeof(Input));
  if (each == 1) {
    set_whole_panels(arguments, arrays, panels);
  } else {
    set_divided_panels(arguments, arrays, each, panels);
  }
  return panels;
}

struct PipelineTile {
  u64 first;    // index of the first item
  u64 column;   // number of the first column of all arrays
  int rows;     // 0: there are no more tiles
  int arrays;   // that it has these rows of
  int columns;  // of each
  bool begins;  // with the first row
  bool ends;    // with the last one
};

// The first tile of a panel, whose rows are still to be counted.
__device__ __forceinline__ PipelineTile first_tile(const Arguments& arguments, const Panels& panels, u64 panel) {
  PipelineTile tile{};
  const u64 group = divided(panel, panels.each), array = group * u64(panels.arrays);
  const u64 column = (panel - group * panels.each) * u64(panels.width);
  const u64 arrays = divided(arguments.columns, arguments.inner) - array, columns = arguments.inner - column;
  tile.first = array * arguments.length * arguments.inner + column;
  tile.column = array * arguments.inner + column;
  tile.arrays = arrays < u64(panels.arrays) ? int(arrays) : panels.arrays;
  tile.columns = columns < u64(panels.width) ? int(columns) : panels.width;
  return tile;
}

// The items of a tile, or its results, as they lie in memory; `begin` is the address of the array's first one.
__device__ __forceinline__ Runs runs_of(const Arguments& arguments, const Panels& panels, const PipelineTile& tile,
                                        u64 begin) {
  const u64 row_bytes = arguments.inner * sizeof(Input);
  const int rows = panels.is_short ? tile.arrays * tile.rows : panels.is_whole ? tile.rows : 1;
  Runs runs;
  runs.from = begin + tile.first * sizeof(Input);
  runs.step = panels.is_whole ? arguments.length * row_bytes : row_bytes;
  runs.bytes = rows * tile.columns * int(sizeof(Input));
  runs.count = panels.is_short ? 1 : panels.is_whole ? tile.arrays : tile.rows;
  runs.pitch = panels.pitch;
  return runs;
}

// Where run number `i` of a tile, the first of which begins `shift` bytes behind a multiple of run_grid, begins behind
// the stage.
__device__ __forceinline__ int place_of_run(const Panels& panels, int shift, int i) {
  return i * panels.pitch + int(u32(shift + i * panels.drift) % u32(run_grid));
}

// Whether results cannot take the place of items in a stage, because they begin elsewhere behind a multiple of 32
// bytes: bulk copies of 16 bytes would not match, or begin within sectors.
__device__ __forceinline__ bool results_lie_apart(const Arguments& arguments) {
  return (reinterpret_cast<u64>(arguments.in) ^ reinterpret_cast<u64>(arguments.out)) % run_grid != 0;
}
