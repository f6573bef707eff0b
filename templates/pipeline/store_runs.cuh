// Stores rows of a tile from a stage, where they lie as in memory: whole sectors of 32 bytes by bulk stores, and the
// few items before and behind them on their own.
#pragma once

#include "parameters.cuh"
#include "pipeline/bulk_store.keep.cuh"
#include "thread/runs.cuh"

// A row's items before its first whole sector, in whole sectors, and behind them.
struct RunSectors {
  int head, middle, tail;
};

__device__ __forceinline__ RunSectors sectors_of_run(const Output* to, int items) {
  constexpr int sector = run_grid / int(sizeof(Output));
  const int past = int(reinterpret_cast<u64>(to) % run_grid / sizeof(Output)), head = (sector - past) % sector;
  if (head >= items) return {items, 0, 0};
  const int tail = (items - head) % sector;
  return {head, items - head - tail, tail};
}

// By one warp. `inner`: items from one row to the next in memory; `pitch`: bytes in the stage.
__device__ __forceinline__ void store_runs(Output* to, u64 inner, const u8* stage, int pitch, int items, int rows) {
  constexpr int edge = run_grid / int(sizeof(Output)), edges = 2 * edge;  // `edge` is more than the items on one side
  const auto row_of = [&](int row) { return to + u64(row) * inner; };
  const auto staged = [&](int row) {
    return reinterpret_cast<const Output*>(stage + row * pitch + int(reinterpret_cast<u64>(row_of(row)) % run_grid));
  };
  for (int row = lane_index(); row < rows; row += warp_size) {
    const RunSectors sectors = sectors_of_run(row_of(row), items);
    if (sectors.middle == 0) continue;
    begin_bulk_store(row_of(row) + sectors.head, staged(row) + sectors.head, u32(sectors.middle) * u32(sizeof(Output)));
  }
  for (int i = lane_index(); i < rows * edges; i += warp_size) {
    const int row = i / edges, place = i % edges;
    const RunSectors sectors = sectors_of_run(row_of(row), items);
    const bool is_head = place < edge;
    if (place % edge >= (is_head ? sectors.head : sectors.tail)) continue;
    const int item = is_head ? place : sectors.head + sectors.middle + place - edge;
    row_of(row)[item] = staged(row)[item];
  }
}
