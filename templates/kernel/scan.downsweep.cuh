// Third step of reduce-then-scan: each block scans its tiles in their order, from the exclusive prefix of the first one
// on.
#pragma once

#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "grid/tile_share.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "tile/scan.cuh"

struct SharedStorage {
  TileStorage tile;
};

// Scans one tile. `prefix`: the tile's exclusive prefix, if has_prefix; afterwards that of the next tile.
template <bool whole>
__device__ __forceinline__ void scan_tile(const TileInputs& inputs, const TileResults& results, int valid,
                                          const Scalars& scalars, bool has_prefix, Accumulator& prefix,
                                          SharedStorage& shared) {
  TileItems tile;
  Local exclusive;
  const Local total = upsweep_tile<whole>(inputs, valid, scalars, tile, exclusive, shared.tile);
  downsweep_tile<whole>(results, valid, scalars, tile, exclusive, total, has_prefix, prefix,
                        shared.tile.exchange.store);
  block_barrier();
  prefix = has_prefix ? combine(prefix, widen(total)) : widen(total);
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  const TileInputs inputs = all_inputs(arguments);
  const TileResults results = all_results(arguments);
  const u32 blocks = active_blocks(n);
  if (block_index() >= blocks) return;
  const TileShare share = tile_share(n, block_index(), blocks);
  bool has_prefix = has_initial || block_index() > 0;
  Accumulator prefix;
  if (has_prefix) prefix = arguments.totals[block_index()];
  for (u64 tile = share.begin; tile < share.end; ++tile) {
    const u64 first = tile * tile_items, left = n - first;
    if (left >= tile_items) {
      scan_tile<true>(inputs_from(inputs, first), results_from(results, first), tile_items, scalars, has_prefix, prefix,
                      shared);
    } else {
      scan_tile<false>(inputs_from(inputs, first), results_from(results, first), int(left), scalars, has_prefix, prefix,
                       shared);
    }
    has_prefix = true;
  }
}
