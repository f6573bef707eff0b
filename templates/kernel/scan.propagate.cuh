// Third step of scan-then-propagate, the "uniform add": each block combines the exclusive prefix of its tile with the
// tile's own inclusive results, which lie in the output. An exclusive scan moves them up by one place besides.
#pragma once

#include "algorithm/hooks.inclusive_scan.cuh"
#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "grid/tile_share.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/results.forward.cuh"

// The result at a place from the inclusive results of the tile there and one place before, where there is one.
__device__ __forceinline__ Output result_at(bool has_prefix, Accumulator prefix, bool has_before, Output before,
                                            Output own) {
  const Accumulator exclusive = !has_before ? prefix : has_prefix ? combine(prefix, before) : before;
  return Output(emit(exclusive, has_prefix ? combine(prefix, own) : own));
}

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  u64 n = arguments.n;
  announce_start();
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  const u32 tile = block_index();
  if (tile >= active_blocks(n)) return;
  const u64 first = u64(tile) * tile_items, left = n - first;
  const int valid = left < tile_items ? int(left) : tile_items;
  const TileResults results = results_from(all_results(arguments), first);
  const bool has_prefix = has_initial || tile > 0;
  Accumulator prefix;
  if (has_prefix) prefix = arguments.totals[tile];

  // Neighbouring threads have neighbouring places. All are read before any is written.
  Output own[items_per_thread], before[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int at = i * threads_per_block + thread_index();
    if (at < valid) own[i] = results.to[at];
    if (at < valid && at > 0) before[i] = results.to[at - 1];
  }
  barrier_before_stores();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int at = i * threads_per_block + thread_index();
    if (at < valid) results.to[at] = result_at(has_prefix, prefix, at > 0, before[i], own[i]);
  }
}
