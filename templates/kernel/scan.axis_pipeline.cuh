// Scans along an axis that is not the last one, by warps that each do one thing:
//   loaders  load the rows of a panel of columns into a ring of stages; rows may begin at any address
//   workers  scan the rows in their stage: each has its columns from the first row to the last one
//   storers  store the results, whole sectors of 32 bytes by bulk stores, and give the stage back
// A block scans whole panels, one after the other, and waits for no other block.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/pipeline_columns.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "parameters.cuh"
#include "pipeline/axis_ring.cuh"
#include "pipeline/store_runs.cuh"
#include "thread/axis_scan.cuh"

struct SharedStorage {
  PipelineRing ring;
  PhaseBarrier scanned[stages];  // the results are in the stage
};

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// The stages that a tile takes: one if results take the place of items, and two if they have a stage of their own.
template <bool are_apart>
constexpr int stages_of_tile = are_apart ? 2 : 1;

// ---- Workers
// Scans `count` rows of a thread's columns, from number `row` of the tile on.
template <int count, bool is_whole>
__device__ __forceinline__ void scan_batch(const Places<is_whole>& items, const Places<is_whole>& results,
                                           const PipelineTile& tile, const Panels& panels, int row, bool has_running,
                                           Accumulator (&running)[columns_per_thread]) {
  const u8* from[count];
  u8* to[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    from[i] = row_of(items, panels, row + i);
    to[i] = row_of(results, panels, row + i);
  }
#pragma unroll
  for (int c = 0; c < columns_per_thread; ++c) {
    if (thread_index() + c * worker_threads >= tile.arrays * tile.columns) break;
    ColumnItems<Input, false> item[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      load_columns<false>(reinterpret_cast<const Input*>(from[i] + items.of_column[c]), item[i]);
    }
    Accumulator own[1] = {running[c]};
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const ColumnItems<Output, false> result = scan_row<false>(item[i], has_running || i > 0, own);
      store_columns<false>(reinterpret_cast<Output*>(to[i] + results.of_column[c]), result);
    }
    running[c] = own[0];
  }
}

// Scans the rows of a tile from number `row` on, in batches of `count`, and what is left in smaller ones.
template <int count, bool is_whole>
__device__ __forceinline__ void scan_tile(const Places<is_whole>& items, const Places<is_whole>& results,
                                          const PipelineTile& tile, const Panels& panels, int row,
                                          Accumulator (&running)[columns_per_thread]) {
  for (; row + count <= tile.rows; row += count) {
    const bool has_running = has_initial || !tile.begins || row > 0;
    scan_batch<count>(items, results, tile, panels, row, has_running, running);
  }
  if constexpr (count > 1) scan_tile<count / 2>(items, results, tile, panels, row, running);
}

template <bool are_apart, bool is_whole>
__device__ __forceinline__ void scan_panels(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  constexpr int step = stages_of_tile<are_apart>;
  PipelineRing& ring = shared.ring;
  const Panels& panels = ring.panels;
  WholeColumns whole;
  if (is_whole) whole = whole_columns(u32(panels.width));
  Accumulator running[columns_per_thread];
  for (Cursor<stages / step> stage;; stage.advance()) {
    await_phase(&ring.full[stage.at], stage.parity);
    const PipelineTile tile = ring.tile[stage.at];
    if (tile.rows == 0) return;
    if (tile.begins) {
#pragma unroll
      for (int c = 0; c < columns_per_thread; ++c) running[c] = initial;
    }
    const auto items = places_of<is_whole>(ring.stage[step * stage.at],
                                           reinterpret_cast<u64>(arguments.in + tile.first), whole, panels);
    if constexpr (are_apart) {
      const auto results = places_of<is_whole>(ring.stage[step * stage.at + 1],
                                               reinterpret_cast<u64>(arguments.out + tile.first), whole, panels);
      scan_tile<items_per_thread>(items, results, tile, panels, 0, running);
    } else {
      scan_tile<items_per_thread>(items, items, tile, panels, 0, running);
    }
    fence_for_bulk_copies();
    warp_barrier();
    if (lane_index() == 0) arrive(&shared.scanned[stage.at]);
  }
}

// ---- Storers
template <bool are_apart>
__device__ __forceinline__ void store_panels(const Arguments& arguments, int warp, SharedStorage& shared) {
  constexpr int step = stages_of_tile<are_apart>;
  PipelineRing& ring = shared.ring;
  for (Cursor<stages / step> stage;; stage.advance()) {
    await_phase(&ring.full[stage.at], stage.parity);
    const PipelineTile tile = ring.tile[stage.at];
    if (tile.rows == 0) return;
    await_phase(&shared.scanned[stage.at], stage.parity);
    const Runs runs = runs_of(arguments, ring.panels, tile, reinterpret_cast<u64>(arguments.out));
    store_runs(ring.stage[step * stage.at + step - 1] + warp * runs.pitch, every_run(runs, warp, storer_warps));
    commit_bulk_stores();
    wait_bulk_stores_read<0>();
    fence_for_bulk_copies();  // what this warp has read of the stage comes before the next rows
    warp_barrier();
    if (lane_index() == 0) arrive(&ring.empty[stage.at]);
  }
}

template <bool are_apart>
__device__ __forceinline__ void run_warps(const Arguments& arguments, Accumulator initial, SharedStorage& shared) {
  const int role = warp_index() - worker_warps;
  if (role >= loader_warps) {
    store_panels<are_apart>(arguments, role - loader_warps, shared);
  } else if (role >= 0) {
    load_panels<stages_of_tile<are_apart>>(arguments, role, shared.ring);
  } else if (shared.ring.panels.is_whole) {
    scan_panels<are_apart, true>(arguments, initial, shared);
  } else {
    scan_panels<are_apart, false>(arguments, initial, shared);
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  announce_start();
  if (thread_index() == 0) {
    init_ring(arguments, storer_warps, shared.ring);
    for (int s = 0; s < stages; ++s) init_barrier(&shared.scanned[s], worker_warps);
  }
  block_barrier();
  await_previous_kernel();
  const Scalars scalars = read_scalars(passed);
  if (arguments.columns == 0 || arguments.length == 0) return;
  if (results_lie_apart(arguments)) {
    run_warps<true>(arguments, initial_of(scalars), shared);
  } else {
    run_warps<false>(arguments, initial_of(scalars), shared);
  }
}
