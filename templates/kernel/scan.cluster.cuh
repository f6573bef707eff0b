// One cluster of blocks scans round after round, one tile per block, and carries the total from round to round. The
// blocks exchange the totals of their tiles through distributed shared memory. The kernel has no workspace.
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
  Accumulator total[2][cluster_blocks];  // of each block's tile, in even and odd rounds
};

// Tells all blocks of the cluster the total of this one's tile.
__device__ __forceinline__ void share_total(Accumulator total, u32 rank, int turn, SharedStorage& shared) {
  const int thread = thread_index();
  if (thread < cluster_blocks) *remote_shared(&shared.total[turn][rank], u32(thread)) = total;
}

// The fold of the first `count` blocks' totals, onto the prefix if there is one.
__device__ __forceinline__ Accumulator fold_cluster_totals(const Accumulator (&totals)[cluster_blocks], u32 count,
                                                           bool has_prefix, Accumulator prefix) {
#pragma unroll
  for (u32 block = 0; block < cluster_blocks; ++block) {
    if (block < count) prefix = block > 0 || has_prefix ? combine(prefix, totals[block]) : totals[block];
  }
  return prefix;
}

// Scans this block's tile of a round of which `left` items are there from the tile's first on (none if it is not
// above 0). `prefix`: the round's exclusive prefix, if has_prefix; afterwards that of the next round.
template <bool whole>
__device__ __forceinline__ void scan_tile(const TileInputs& inputs, TileResults results, int valid,
                                          const Scalars& scalars, u32 active_blocks, int turn, bool has_prefix,
                                          Accumulator& prefix, SharedStorage& shared) {
  const u32 rank = cluster_rank();
  // Upsweep: the tile's total, and the exclusive prefix of each thread within the tile.
  TileItems tile;
  Local exclusive;
  const Local total = upsweep_tile<whole>(inputs, valid, scalars, tile, exclusive, shared.tile);
  // Exchange: the totals of the cluster's tiles.
  if (whole || valid > 0) share_total(widen(total), rank, turn, shared);
  cluster_arrive();
  cluster_wait();
  if (counts_first) {
    set_first_front(results, fold_cluster_totals(shared.total[turn], active_blocks, has_prefix, prefix));
  }
  // Downsweep: the result of every item, from the prefixes. A tile without items may lie behind others without a total.
  if (whole || valid > 0) {
    const Accumulator tile_prefix = fold_cluster_totals(shared.total[turn], rank, has_prefix, prefix);
    downsweep_tile<whole>(results, valid, scalars, tile, exclusive, total, has_prefix || rank > 0, tile_prefix,
                          shared.tile.exchange.store);
  }
  // Carry: the next round's exclusive prefix.
  prefix = fold_cluster_totals(shared.total[turn], active_blocks, has_prefix, prefix);
}

static_assert(shared_bytes == 0 || sizeof(SharedStorage) == shared_bytes, "the generator counted otherwise");

// By value: of a __grid_constant__, NVRTC 13.0 joins the two ways through a round, and inclusive scans of 2^12 items of
// 8 bytes take 5% longer on an H200.
extern "C" __global__ void __launch_bounds__(threads_per_block, minimum_blocks)
    upsweep_kernel(const Arguments arguments) {
  TileInputs inputs = all_inputs(arguments);
  TileResults results = all_results(arguments);
  u64 n = arguments.n;
  const PassedScalars passed = passed_scalars(arguments);
  SharedStorage& shared = block_storage<SharedStorage>();
  announce_start();
  cluster_arrive();
  if (thread_index() == 0) prefetch_inputs(inputs, n, cluster_rank());
  await_previous_kernel();
  if (has_limits) inputs = all_inputs(arguments);
  if (has_limits) results = all_results(arguments);
  if (has_limits) n = items_of(arguments);
  constexpr u64 round_items = u64(cluster_blocks) * tile_items;
  const u64 own = u64(cluster_rank()) * tile_items;
  cluster_wait();  // all blocks are there

  const Scalars scalars = read_scalars(passed);
  Accumulator prefix = initial_of(scalars);
  if (counts_first && n > round_items) {
    // Each block has a tile. Round 0 shares totals elsewhere.
    share_total(fold_tiles(inputs, own, round_items, n, scalars, shared.tile), cluster_rank(), 1, shared);
    cluster_arrive();
    cluster_wait();
    set_front(results, fold_cluster_totals(shared.total[1], cluster_blocks, false, prefix));
  }
  int turn = 0;
  for (u64 first = 0; first < n; first += round_items, turn ^= 1) {
    const u64 left = n - first;
    const u32 active_blocks = left >= round_items ? cluster_blocks : u32((left + tile_items - 1) / tile_items);
    const bool has_prefix = has_initial || first > 0;
    if (left >= own + tile_items) {
      scan_tile<true>(inputs_from(inputs, first + own), results_from(results, first + own), tile_items, scalars,
                      active_blocks, turn, has_prefix, prefix, shared);
    } else {
      const int valid = left > own ? int(left - own) : 0;
      scan_tile<false>(inputs_from(inputs, first + own), results_from(results, first + own), valid, scalars,
                       active_blocks, turn, has_prefix, prefix, shared);
    }
    block_barrier();
  }
  if (finishes && cluster_rank() == 0 && thread_index() == 0) finish_tiles(arguments, n > 0, prefix);
}
