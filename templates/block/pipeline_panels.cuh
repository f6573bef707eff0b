// How blocks that scan along an axis alone divide the columns: a panel is neighbouring columns of one array, and a tile
// is rows of a panel that a stage has room for.
#pragma once

#include "parameters.cuh"
#include "thread/axis_columns.cuh"
#include "thread/divided.cuh"
#include "thread/runs.cuh"

constexpr int worker_threads = worker_warps * warp_size;
constexpr int most_columns = worker_threads * columns_per_thread;

struct Panels {
  u64 all;    // of all arrays
  u64 each;   // of an array
  int width;  // columns; the last one of an array may have fewer
  int pitch;  // bytes from one row to the next in a stage
  int drift;  // by how much farther the next row begins behind a multiple of run_grid
  int rows;   // of a tile; the last one of a panel may have fewer
};

// About equally wide panels, whose first columns are whole sectors of 32 bytes apart, and tiles of about equally many
// rows.
__device__ __forceinline__ Panels panels_of(const Arguments& arguments) {
  constexpr u64 sector = sizeof(Input) < 32 ? 32 / sizeof(Input) : 1;
  const u64 inner = arguments.inner, least = divided(inner + most_columns - 1, u64(most_columns));
  const u64 even = (divided(inner + least - 1, least) + sector - 1) / sector * sector;
  Panels panels;
  panels.width = int(even);
  panels.each = divided(inner + even - 1, even);
  panels.all = divided(arguments.columns, inner) * panels.each;
  panels.pitch = (panels.width * int(sizeof(Input)) + 2 * run_grid - 2) / run_grid * run_grid;
  panels.drift = int(inner * sizeof(Input) % run_grid);
  const u64 most = u64(stage_bytes / panels.pitch), tiles = divided(arguments.length + most - 1, most);
  panels.rows = int(divided(arguments.length + tiles - 1, tiles));
  return panels;
}

struct PipelineTile {
  u64 first;  // index of the first item
  int rows;   // 0: there are no more tiles
  int columns;
  int shift;    // of the first row behind a multiple of run_grid
  bool begins;  // with the first row
};

// The first tile of a panel, whose rows are still to be counted.
__device__ __forceinline__ PipelineTile first_tile(const Arguments& arguments, const Panels& panels, u64 panel) {
  const u64 array = divided(panel, panels.each), column = (panel - array * panels.each) * u64(panels.width);
  const u64 left = arguments.inner - column;
  PipelineTile tile{};
  tile.first = array * arguments.length * arguments.inner + column;
  tile.columns = left < u64(panels.width) ? int(left) : panels.width;
  return tile;
}

__device__ __forceinline__ Runs runs_of(const Arguments& arguments, const Panels& panels, PipelineTile& tile) {
  Runs runs;
  runs.from = reinterpret_cast<u64>(arguments.in + tile.first);
  runs.step = arguments.inner * sizeof(Input);
  runs.bytes = tile.columns * int(sizeof(Input));
  runs.count = tile.rows;
  runs.pitch = panels.pitch;
  tile.shift = int(runs.from % run_grid);
  return runs;
}

__device__ __forceinline__ int shift_of_row(const Panels& panels, int shift, int row) {
  return (shift + row * panels.drift) % run_grid;
}

// Whether results can take the place of items in a stage, and be stored from there as whole sectors of 32 bytes: both
// arrays begin equally far behind a sector.
__device__ __forceinline__ bool results_lie_as_items(const Arguments& arguments) {
  const u64 in = reinterpret_cast<u64>(arguments.in), out = reinterpret_cast<u64>(arguments.out);
  return in % run_grid == out % run_grid && in % sizeof(Input) == 0;
}
