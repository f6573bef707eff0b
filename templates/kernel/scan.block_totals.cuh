// First step of reduce-then-scan: each block folds its tiles in their order and leaves the total.
#pragma once

#include "algorithm/limits.none.cuh"
#include "block/reduce.warp_reduces.cuh"
#include "block/start.plain.cuh"
#include "block/storage.static.cuh"
#include "grid/tile_share.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/reduce.sequential.cuh"
#include "tile/downsweep.dense.cuh"
#include "tile/inputs.single.cuh"

struct SharedStorage {
  InputsStorage load;
  BlockReduceStorage reduce;
};

// Folds one tile in order; the result is warp 0's.
template <bool whole>
__device__ __forceinline__ Local fold_tile(const TileInputs& inputs, int valid, const Scalars& scalars,
                                           SharedStorage& shared) {
  TileItems tile;
  load_items<whole>(inputs, valid, tile, shared.load);
  Local local[items_per_thread];
  lift_items<whole>(tile, valid, scalars, local);
  const Local folded = thread_reduce<whole>(local, items_of_thread(valid));
  await_loads();
  return block_reduce<whole>(folded, active_threads(valid), shared.reduce);
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
  const u32 blocks = active_blocks(n);
  if (block_index() == 0 && thread_index() == 0) *arguments.total_count = blocks;
  if (block_index() >= blocks) return;
  const TileShare share = tile_share(n, block_index(), blocks);
  Accumulator total;
  for (u64 tile = share.begin; tile < share.end; ++tile) {
    const u64 first = tile * tile_items, left = n - first;
    if (tile > share.begin) block_barrier();
    const Local folded = left >= tile_items ? fold_tile<true>(inputs_from(inputs, first), tile_items, scalars, shared)
                                            : fold_tile<false>(inputs_from(inputs, first), int(left), scalars, shared);
    if (warp_index() == 0) total = tile > share.begin ? combine(total, widen(folded)) : widen(folded);
  }
  if (thread_index() == 0) arguments.totals[block_index()] = total;
}
