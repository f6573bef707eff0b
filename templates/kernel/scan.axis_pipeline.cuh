// Scans along an axis that is not the last one, by warps that each do one thing:
//   loader   loads the rows of a panel of neighbouring columns into a ring of stages; rows may begin at any address
//   workers  scan the rows in their stage: each has its columns from the first row to the last one
//   storer   stores the results, whole sectors of 32 bytes by bulk stores, and gives the stage back
// A block scans whole panels, one after the other, and waits for no other block. Results take the place of items.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/pipeline_panels.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "parameters.cuh"
#include "pipeline/cursor.cuh"
#include "pipeline/fill_runs.bulk.cuh"
#include "pipeline/phase.suspend.cuh"
#include "pipeline/store_runs.cuh"
#include "thread/axis_scan.cuh"

struct SharedStorage {
  alignas(128) u8 stage[stages][stage_bytes + 2 * run_grid];
  PipelineTile tile[stages];
  PhaseBarrier full[stages];     // the rows of the stage have arrived
  PhaseBarrier scanned[stages];  // the results are in the stage
  PhaseBarrier empty[stages];    // the stores have read them
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

__device__ __forceinline__ void init_barriers(SharedStorage& shared) {
  for (int s = 0; s < stages; ++s) {
    init_barrier(&shared.full[s], run_arrivals);
    init_barrier(&shared.scanned[s], worker_warps);
    init_barrier(&shared.empty[s], 1);
  }
  prepare_runs();
}

// ---- The loader warp: the last tile has no rows.
__device__ __forceinline__ void load_panels(const Arguments& arguments, const Panels& panels, SharedStorage& shared) {
  const u64 begin = reinterpret_cast<u64>(arguments.in);
  const ArrayBytes array{begin, begin + arguments.columns * arguments.length * sizeof(Input)};
  Cursor<stages> stage;
  u32 number = 0;
  const auto load = [&](const PipelineTile& tile, const Runs& runs) {
    if (number >= stages) await_phase(&shared.empty[stage.at], stage.parity ^ 1);
    if (lane_index() == 0) shared.tile[stage.at] = tile;
    fill_runs(shared.stage[stage.at], runs, array, &shared.full[stage.at]);
    ++number;
    stage.advance();
  };
  for (u64 panel = block_index(); panel < panels.all; panel += grid_size()) {
    PipelineTile tile = first_tile(arguments, panels, panel);
    for (u64 row = 0; row < arguments.length; row += u64(tile.rows)) {
      const u64 left = arguments.length - row;
      tile.rows = left < u64(panels.rows) ? int(left) : panels.rows;
      tile.begins = row == 0;
      const Runs runs = runs_of(arguments, panels, tile);
      load(tile, runs);
      tile.first += u64(tile.rows) * arguments.inner;
    }
  }
  load(PipelineTile{}, Runs{});
}

// ---- All threads, where results do not lie in memory as items do: each scans columns, one after the other.
__device__ __forceinline__ void scan_apart(const Arguments& arguments, Accumulator initial) {
  const u64 inner = arguments.inner, step = u64(grid_size()) * threads_per_block;
  u64 column = u64(block_index()) * threads_per_block + u64(thread_index());
  for (; column < arguments.columns; column += step) {
    u64 at = item_of_column(column, arguments.length, inner);
    Accumulator running[1] = {initial};
    for (u64 row = 0; row < arguments.length; row += items_per_thread, at += items_per_thread * inner) {
      const u64 left = arguments.length - row;
      const int valid = left < items_per_thread ? int(left) : items_per_thread;
      ColumnRows<false> rows;
      load_rows<false>(arguments.in + at, inner, valid, rows);
      scan_rows<false>(rows, valid, arguments.out + at, inner, has_initial || row > 0, running);
    }
  }
}

// ---- Workers
// Scans `valid` rows of a batch of one column, from number `row` of the tile on, or a whole batch.
template <bool all>
__device__ __forceinline__ void scan_batch(u8* column, const Panels& panels, int shift, int row, int valid,
                                           bool has_running, Accumulator& running) {
  const auto place_of = [&](int i) { return column + (row + i) * panels.pitch + shift_of_row(panels, shift, row + i); };
  ColumnItems<Input, false> item[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (all || i < valid) load_columns<false>(reinterpret_cast<const Input*>(place_of(i)), item[i]);
  }
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!all && i >= valid) continue;
    Accumulator own[1] = {running};
    const ColumnItems<Output, false> result = scan_row<false>(item[i], has_running || i > 0, own);
    store_columns<false>(reinterpret_cast<Output*>(place_of(i)), result);
    running = own[0];
  }
}

__device__ __forceinline__ void scan_tile(const PipelineTile& tile, const Panels& panels, u8* stage,
                                          Accumulator initial, Accumulator (&running)[columns_per_thread]) {
#pragma unroll
  for (int c = 0; c < columns_per_thread; ++c) {
    const int column = thread_index() + c * worker_threads;
    if (column >= tile.columns) continue;
    u8* const at = stage + column * int(sizeof(Input));
    if (tile.begins) running[c] = initial;
    bool has_running = has_initial || !tile.begins;
    int row = 0;
    for (; row + items_per_thread <= tile.rows; row += items_per_thread, has_running = true) {
      scan_batch<true>(at, panels, tile.shift, row, items_per_thread, has_running, running[c]);
    }
    if (row < tile.rows) {
      scan_batch<false>(at, panels, tile.shift, row, tile.rows - row, has_running, running[c]);
    }
  }
}

__device__ __forceinline__ void scan_panels(const Panels& panels, Accumulator initial, SharedStorage& shared) {
  Accumulator running[columns_per_thread];
  for (Cursor<stages> stage;; stage.advance()) {
    await_phase(&shared.full[stage.at], stage.parity);
    const PipelineTile tile = shared.tile[stage.at];
    if (tile.rows == 0) return;
    scan_tile(tile, panels, shared.stage[stage.at], initial, running);
    fence_for_bulk_copies();
    warp_barrier();
    if (lane_index() == 0) arrive(&shared.scanned[stage.at]);
  }
}

// ---- The storer warp
__device__ __forceinline__ void store_panels(const Arguments& arguments, const Panels& panels, SharedStorage& shared) {
  for (Cursor<stages> stage;; stage.advance()) {
    await_phase(&shared.full[stage.at], stage.parity);
    const PipelineTile tile = shared.tile[stage.at];
    if (tile.rows == 0) return;
    await_phase(&shared.scanned[stage.at], stage.parity);
    store_runs(arguments.out + tile.first, arguments.inner, shared.stage[stage.at], panels.pitch, tile.columns,
               tile.rows);
    commit_bulk_stores();
    wait_bulk_stores_read<0>();
    fence_for_bulk_copies();  // what this warp has read of the stage comes before the next rows
    warp_barrier();
    if (lane_index() == 0) arrive(&shared.empty[stage.at]);
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  announce_start();
  if (thread_index() == 0) init_barriers(shared);
  block_barrier();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  if (arguments.columns == 0 || arguments.length == 0) return;
  if (!results_lie_as_items(arguments)) {
    scan_apart(arguments, initial_of(scalars));
    return;
  }
  const Panels panels = panels_of(arguments);
  const int role = warp_index() - worker_warps;
  if (role < 0) {
    scan_panels(panels, initial_of(scalars), shared);
  } else if (role == 0) {
    load_panels(arguments, panels, shared);
  } else {
    store_panels(arguments, panels, shared);
  }
}
