// First step of scan-then-propagate: each block scans one tile as if it were the only one, and leaves the total. The
// results, inclusive ones in all scans, lie in the output.
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

// Scans one tile. Returns the tile's total to all threads.
template <bool whole>
__device__ __forceinline__ Local scan_tile(const TileInputs& inputs, const TileResults& results, int valid,
                                           const Scalars& scalars, SharedStorage& shared) {
  TileItems tile;
  Local carry;
  const Local total = upsweep_tile<whole>(inputs, valid, scalars, tile, carry, shared.tile);
  bool has_carry = thread_index() > 0;
  Output stored[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (!whole && i >= items_of_thread(valid)) continue;
    carry = has_carry ? combine(carry, tile.item[i]) : tile.item[i];
    has_carry = true;
    stored[i] = carry;
  }
  store_tile<whole>(results.to, valid, stored, shared.tile.exchange.store);
  return total;
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
  const u32 blocks = active_blocks(n), tile = block_index();
  if (tile == 0 && thread_index() == 0) *arguments.total_count = blocks;
  if (tile >= blocks) return;
  const u64 first = u64(tile) * tile_items, left = n - first;
  const TileInputs inputs = inputs_from(all_inputs(arguments), first);
  const TileResults results = results_from(all_results(arguments), first);
  const Scalars scalars = read_scalars(passed);
  const Local total = left >= tile_items ? scan_tile<true>(inputs, results, tile_items, scalars, shared)
                                         : scan_tile<false>(inputs, results, int(left), scalars, shared);
  if (thread_index() == 0) arguments.totals[tile] = total;
}
