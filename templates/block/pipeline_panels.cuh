// How blocks that scan or fold along an axis alone divide the columns. A panel is neighbouring columns of wide rows, or
// all columns of one or more arrays. A tile is rows of a panel that a stage has room for.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/divided.cuh"
#include "thread/runs.cuh"

constexpr int worker_threads = worker_warps * warp_size;
constexpr int most_columns = worker_threads * columns_per_thread;

// A run is contiguous bytes of a tile: its part of one row, or, if panels are whole, its rows of one array.
struct Panels {
  u64 all;        // number of panels
  u64 each;       // number of panels that an array is divided into; 1 if panels are whole
  bool is_whole;  // whether a panel has all columns of its arrays
  bool is_short;  // whether a tile also has all rows of these arrays; they are one run together
  int arrays;     // number of arrays in a panel; the last panel may have fewer
  int width;      // number of columns that a panel has of each array; the last panel of an array may have fewer
  int pitch;      // bytes in a stage from one run to the next, or, if axes are short, from one array to the next
  int drift;      // (address of the next run - address of a run) % run_grid; 0 if axes are short
  int rows;       // number of rows in each tile of a panel but the last one, which may have fewer
};

// Bytes in a stage for a run of so many bytes at any address.
__device__ __forceinline__ int pitch_of(int bytes) { return (bytes + 2 * run_grid - 2) / run_grid * run_grid; }

// The number of rows in a tile. A stage has room for `most` rows. The tiles of an axis have about equally many rows.
// Workers take items_per_thread rows at a time. So the number is rounded up to a multiple of that, if a stage has room.
__device__ __forceinline__ int rows_of_tile(u64 length, u64 most) {
  const u64 tiles = divided(length + most - 1, most);
  const int rows = int(divided(length + tiles - 1, tiles));
  const int batches = (rows + items_per_thread - 1) / items_per_thread * items_per_thread;
  return tiles > 1 && u64(batches) <= most ? batches : rows;
}

// The number of panels that an array is divided into, at least `least`. If blocks have unequal numbers of panels, more
// and narrower panels can be more equal work. They are taken if the busiest block then has at most 7/8 of the columns
// that it had. Panels may be narrower if no block has more than one: blocks without a panel would be slower still.
__device__ __forceinline__ u64 panels_of_array(u64 arrays, u64 least, u64 row_bytes) {
  const u64 grid = u64(grid_size()), waves = divided(arrays * least + grid - 1, grid);
  constexpr u64 narrow = 2000, narrow_in_one_wave = 500;  // bytes of a row
  u64 each = least, of_waves = waves;
  for (u64 w = waves; w < waves + 4; ++w) {
    const u64 even = divided(w * grid, arrays), wide = row_bytes / (w == 1 ? narrow_in_one_wave : narrow);
    const u64 count = even < wide ? even : wide;
    if (count <= each || 8 * w * each >= 7 * of_waves * count) continue;
    each = count;
    of_waves = w;
  }
  return each;
}

// The number of arrays in a panel that has all of their columns. If axes are short, the arrays of a panel fill a stage.
// If they are longer, a tile has about rows_per_tile rows of each array. With fewer arrays, it would have fewer and
// longer runs, which are stored faster, but more rows, which a thread scans one after the other. In the end, the number
// is changed so that blocks have about equally many arrays.
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

// For panels of a part of an array's columns. They are about equally wide, and each begins a multiple of 32 bytes,
// which is a sector, behind the one before.
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

// Rows of all arrays of a panel: the same rows of each.
struct PipelineTile {
  u64 first;    // index of the first item
  u64 column;   // index of the first column, where the columns of all arrays are counted
  int rows;     // number of rows; 0 if there are no more tiles
  int arrays;   // number of arrays
  int columns;  // number of columns of each array
  bool begins;  // whether it has the first row of the axis
  bool ends;    // whether it has the last row
};

// The first tile of a panel. The caller sets `rows`, `begins` and `ends`.
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

// The runs of a tile in memory. `begin` is the address of the input, for items, or of the output, for results.
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

// Where run `i` of a tile begins, in bytes from the begin of the stage. `shift`: (address of run 0) % run_grid.
__device__ __forceinline__ int place_of_run(const Panels& panels, int shift, int i) {
  return i * panels.pitch + int(u32(shift + i * panels.drift) % u32(run_grid));
}

// Whether results need stages of their own. They can take the place of items in a stage only if input and output have
// the same address modulo 32. Bulk copies need the same address modulo 16 in shared memory as in memory, and the stores
// are of whole sectors.
__device__ __forceinline__ bool results_lie_apart(const Arguments& arguments) {
  return (reinterpret_cast<u64>(arguments.in) ^ reinterpret_cast<u64>(arguments.out)) % run_grid != 0;
}
