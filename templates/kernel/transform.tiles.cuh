// The result of an item depends on the item and those beside it: each block computes one tile, and waits for no other.
#pragma once

#include "algorithm/hooks.adjacent_difference.cuh"
#include "algorithm/limits.none.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.ports.cuh"
#include "tile/outputs.ports.cuh"
#include "tile/store_results.ports.cuh"

struct SharedStorage {
  union {
    InputsStorage load;
    StoreStorage store;
  } exchange;
};

// Computes a tile of `valid` items.
template <bool whole>
__device__ __forceinline__ void transform_tile(const TileInputs& inputs, const TileResults& results, int valid,
                                               SharedStorage& shared) {
  TileItems tile;
  load_items<whole>(inputs, valid, tile, shared.exchange.load);
  Result result[items_per_thread];
  const int own = items_of_thread(valid);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (whole || i < own) result[i] = result_of(item_of(tile, i));
  }
  if (block_exchanges_twice) block_barrier();  // all threads have their items
  if (warp_exchanges_twice) warp_barrier();    // likewise
  store_results<whole>(results, valid, result, shared.exchange.store);
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const TileInputs inputs = all_inputs(arguments);
  const TileResults results = all_results(arguments);
  u64 n = arguments.n;
  announce_start();
  if (thread_index() == 0) prefetch_inputs(inputs, n, block_index());
  await_previous_kernel();
  if (has_limits) n = items_of(arguments);
  const u64 first = u64(block_index()) * tile_items;
  if (has_limits && first >= n) return;
  SharedStorage& shared = block_storage<SharedStorage>();
  if (n - first >= tile_items) {
    transform_tile<true>(inputs_from(inputs, first), results_behind(results, first), tile_items, shared);
  } else {
    transform_tile<false>(inputs_from(inputs, first), results_behind(results, first), int(n - first), shared);
  }
}
