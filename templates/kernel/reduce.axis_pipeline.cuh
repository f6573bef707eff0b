// Folds along an axis that is not the last one, by warps that each do one thing:
//   loaders  load the rows of a panel of columns into a ring of stages; rows may begin at any address
//   workers  fold the rows in their stage: each has its columns from the first row to the last one
// A block folds whole panels, one after the other, and waits for no other block.
#pragma once

#include "algorithm/hooks.reduce.cuh"
#include "algorithm/start.initial.cuh"
#include "block/pipeline_columns.cuh"
#include "block/start.plain.cuh"
#include "block/storage.dynamic.cuh"
#include "grid/empty_columns.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "pipeline/axis_ring.cuh"

static_assert(shared_bytes == 0 || sizeof(PipelineRing) == shared_bytes, "the generator counted otherwise");

// Folds `count` rows of a thread's columns, from number `row` of the tile on.
template <int count, bool is_whole>
__device__ __forceinline__ void fold_batch(const Places<is_whole>& places, const PipelineTile& tile,
                                           const Panels& panels, int row, Accumulator (&total)[columns_per_thread]) {
  const bool has_total = !tile.begins || row > 0;
  const u8* from[count];
#pragma unroll
  for (int i = 0; i < count; ++i) from[i] = row_of(places, panels, row + i);
#pragma unroll
  for (int c = 0; c < columns_per_thread; ++c) {
    if (thread_index() + c * worker_threads >= tile.arrays * tile.columns) break;
    ColumnRows<false, count> rows;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      load_columns<false>(reinterpret_cast<const Input*>(from[i] + places.of_column[c]), rows.row[i]);
    }
    Accumulator own[1];
    if (has_total) own[0] = total[c];
    fold_rows<false, true>(rows, count, has_total, own);
    total[c] = own[0];
  }
}

// Folds the rows of a tile from number `row` on, in batches of `count`, and what is left in smaller ones.
template <int count, bool is_whole>
__device__ __forceinline__ void fold_tile(const Places<is_whole>& places, const PipelineTile& tile,
                                          const Panels& panels, int row, Accumulator (&total)[columns_per_thread]) {
  for (; row + count <= tile.rows; row += count) fold_batch<count>(places, tile, panels, row, total);
  if constexpr (count > 1) fold_tile<count / 2>(places, tile, panels, row, total);
}

template <bool is_whole>
__device__ __forceinline__ void fold_panels(const Arguments& arguments, Accumulator initial, PipelineRing& ring) {
  const Panels& panels = ring.panels;
  WholeColumns whole;
  if (is_whole) whole = whole_columns(u32(panels.width));
  Accumulator total[columns_per_thread];
  for (Cursor<stages> stage;; stage.advance()) {
    await_phase(&ring.full[stage.at], stage.parity);
    const PipelineTile tile = ring.tile[stage.at];
    if (tile.rows == 0) return;
    const auto places =
        places_of<is_whole>(ring.stage[stage.at], reinterpret_cast<u64>(arguments.in + tile.first), whole, panels);
    fold_tile<items_per_thread>(places, tile, panels, 0, total);
    prepare_next_runs();
    warp_barrier();
    if (lane_index() == 0) arrive(&ring.empty[stage.at]);
    if (!tile.ends) continue;
#pragma unroll
    for (int c = 0; c < columns_per_thread; ++c) {
      const int column = thread_index() + c * worker_threads;
      if (column >= tile.arrays * tile.columns) break;
      finish(arguments.out + tile.column + u64(column), combine(initial, total[c]));
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const PassedScalars passed = passed_scalars(arguments);
  PipelineRing& ring = block_storage<PipelineRing>();
  announce_start();
  if (thread_index() == 0) init_ring(arguments, worker_warps, ring);
  block_barrier();
  await_previous_kernel();
  const Accumulator initial = initial_of(read_scalars(passed));
  if (arguments.length == 0) {
    finish_empty_columns(arguments, initial);
  } else if (arguments.columns == 0) {
    return;
  } else if (warp_index() >= worker_warps) {
    load_panels<1>(arguments, warp_index() - worker_warps, ring);
  } else if (ring.panels.is_whole) {
    fold_panels<true>(arguments, initial, ring);
  } else {
    fold_panels<false>(arguments, initial, ring);
  }
}
