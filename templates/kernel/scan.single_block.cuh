// One block scans tile after tile and carries the total from tile to tile. The kernel has no workspace.
#pragma once

#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/fold_tiles.cuh"
#include "tile/front.none.cuh"
#include "tile/inputs.single.cuh"
#include "tile/scan.cuh"

struct SharedStorage {
  TileStorage tile;
};

// Scans one tile. `prefix`: the tile's exclusive prefix, if has_prefix; afterwards that of the next tile.
template <bool whole>
__device__ __forceinline__ void scan_tile(const TileInputs& inputs, TileResults results, int valid,
                                          const Scalars& scalars, bool has_prefix, Accumulator& prefix,
                                          SharedStorage& shared) {
  // Upsweep: the tile's total, and the exclusive prefix of each thread within the tile.
  TileItems tile;
  Local exclusive;
  const Local total = upsweep_tile<whole>(inputs, valid, scalars, tile, exclusive, shared.tile);
  if (counts_first) set_first_front(results, total);
  // Downsweep: the result of every item, from the prefixes.
  downsweep_tile<whole>(results, valid, scalars, tile, exclusive, total, has_prefix, prefix,
                        shared.tile.exchange.store);
  block_barrier();
  // Carry: the next tile's exclusive prefix.
  prefix = has_prefix ? combine(prefix, widen(total)) : widen(total);
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  TileInputs inputs = all_inputs(arguments);
  TileResults results = all_results(arguments);
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  if (thread_index() == 0) prefetch_inputs(inputs, n, 0);
  await_previous_kernel();
  if (has_limits) inputs = all_inputs(arguments);
  if (has_limits) results = all_results(arguments);
  if (has_limits) n = items_of(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  Accumulator prefix = initial_of(scalars);
  if (counts_first && n > tile_items) set_front(results, fold_tiles(inputs, 0, tile_items, n, scalars, shared.tile));
  u64 first = 0;
  for (; n - first >= tile_items; first += tile_items) {
    scan_tile<true>(inputs_from(inputs, first), results_from(results, first), tile_items, scalars,
                    has_initial || first > 0, prefix, shared);
  }
  if (first < n) {
    scan_tile<false>(inputs_from(inputs, first), results_from(results, first), int(n - first), scalars,
                     has_initial || first > 0, prefix, shared);
  }
  if (finishes && thread_index() == 0) finish_tiles(arguments, n > 0, prefix);
}
