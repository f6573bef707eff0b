// Single-pass scan: each block scans one tile, in the order of tickets, and learns the tile's exclusive prefix from the
// tiles before it.
#pragma once

#include "algorithm/limits.none.cuh"
#include "algorithm/start.initial.cuh"
#include "block/storage.static.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "grid/entry.cuh"
#include "tile/inputs.single.cuh"
#include "tile/scan.cuh"
#include "grid/spine.one_warp.cuh"
#include "grid/workspace.cuh"

struct SharedStorage {
  TileStorage tile;
  Claim claim;
  SpineStorage spine;
};

// Tiles that have items: one for each block, unless fewer items are there than the kernel was launched for.
__device__ __forceinline__ u32 active_tiles(u64 n) {
  if (!has_limits) return grid_size();
  return u32((n + tile_items - 1) / tile_items);
}

// Scans the claimed tile, of n items in all: `valid` items from `in` on.
template <bool whole>
__device__ __forceinline__ void scan_tile(const TileInputs& inputs, const TileResults& results, int valid,
                                          const Scalars& scalars, Workspace* workspace, const Arguments& arguments,
                                          u64 n, SharedStorage& shared) {
  const u32 tile = shared.claim.number, epoch = shared.claim.epoch;
  // Upsweep: the tile's total, and the exclusive prefix of each thread within the tile.
  TileItems items;
  Local exclusive;
  const Local total = upsweep_tile<whole>(inputs, valid, scalars, items, exclusive, shared.tile);

  // Spine: the tile's exclusive prefix.
  const bool in_place = replaces_items(arguments);
  const Accumulator prefix =
      exclusive_prefix_of_tile(workspace, epoch, tile, initial_of(scalars), widen(total), in_place, shared.spine);

  // Downsweep: the result of every item, from the prefixes.
  const bool has_prefix = has_initial || tile > 0;
  downsweep_tile<whole>(results, valid, scalars, items, exclusive, total, has_prefix, prefix,
                        shared.tile.exchange.store);

  if (finishes && tile == active_tiles(n) - 1 && thread_index() == 0) {
    finish_tiles(arguments, true, has_prefix ? combine(prefix, widen(total)) : widen(total));
  }
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  TileInputs inputs = all_inputs(arguments);
  TileResults results = all_results(arguments);
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  Workspace* const workspace = arguments.workspace;
  SharedStorage& shared = block_storage<SharedStorage>();
  if (thread_index() == 0) {
    // A tile depends only on tiles claimed before it, by blocks that run already, so no order in which blocks are
    // started can lead to a deadlock (Merrill and Garland, 2016, section 4.4).
    shared.claim = enter<true>(workspace);
    announce_start();
    prefetch_inputs(inputs, n, shared.claim.number);
  }
  await_previous_kernel();
  block_barrier();
  if (has_limits) inputs = all_inputs(arguments);
  if (has_limits) results = all_results(arguments);
  if (has_limits) n = items_of(arguments);
  if (thread_index() == 0 && shared.claim.number == 0) scrub(workspace, active_tiles(n));

  const Scalars scalars = read_scalars(passed);
  if (finishes && n == 0) {
    if (has_limits && shared.claim.number > 0) return;
    if (thread_index() == 0) finish_tiles(arguments, false, initial_of(scalars));
    return;
  }
  if (has_limits && shared.claim.number >= active_tiles(n)) return;
  const u64 first = u64(shared.claim.number) * tile_items, left = n - first;
  if (left >= tile_items) {
    scan_tile<true>(inputs_from(inputs, first), results_from(results, first), tile_items, scalars, workspace, arguments,
                    n, shared);
  } else {
    scan_tile<false>(inputs_from(inputs, first), results_from(results, first), int(left), scalars, workspace, arguments,
                     n, shared);
  }
}
