// One block scans tile after tile and carries the total along: nothing global but input and output.
#pragma once

#include "algorithm/start.initial.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/inputs.single.cuh"
#include "tile/scan.cuh"

struct SharedStorage {
  TileStorage tile;
};

// Scans one tile; `prefix`, where there is one, is the fold of all before it, and afterwards of all up to its end.
template <bool whole>
__device__ __forceinline__ void scan_tile(const TileInputs& inputs, const TileResults& results, int valid,
                                          const Scalars& scalars, bool has_prefix, Accumulator& prefix,
                                          SharedStorage& shared) {
  TileItems tile;
  Local before;
  const Local total = upsweep_tile<whole>(inputs, valid, scalars, tile, before, shared.tile);
  downsweep_tile<whole>(results, valid, scalars, tile, before, total, has_prefix, prefix, shared.tile.exchange.store);
  block_barrier();
  prefix = has_prefix ? combine(prefix, widen(total)) : widen(total);
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const TileInputs inputs = all_inputs(arguments);
  const TileResults results = all_results(arguments);
  const u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  if (thread_index() == 0) prefetch_inputs(inputs, n, 0);
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  Accumulator prefix = initial_of(scalars);
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
