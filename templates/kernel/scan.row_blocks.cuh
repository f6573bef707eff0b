// Scans of rows: each block scans as many whole rows as a tile has room for, or one longer row tile by tile. No block
// waits for another.
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

// Rows that a block scans at a time. Of many rows, a multiple of the items in a vector of 16 bytes, so that each share
// begins at an aligned address if the first does.
__device__ __forceinline__ u64 rows_of_share(u64 row_length) {
  constexpr u64 vector = 16 % sizeof(Input) == 0 ? 16 / sizeof(Input) : 1;
  if (row_length >= tile_items) return 1;
  const u32 rows = u32(tile_items) / u32(row_length);
  return rows >= 8 * vector ? rows / vector * vector : rows;
}

// Scans one tile of a share. `prefix`: the tile's exclusive prefix, if has_prefix; afterwards that of the next tile.
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
  const TileInputs inputs = all_inputs(arguments);
  const TileResults results = all_results(arguments);
  const u64 n = arguments.n, length = arguments.row_length;
  const PassedScalars passed = passed_scalars(arguments);
  announce_start();
  const u64 share_items = rows_of_share(length) * length;
  u64 begin = block_index() * share_items;
  if (thread_index() == 0 && begin < n) prefetch_inputs(inputs_from(inputs, begin), n - begin, 0);
  await_previous_kernel();
  SharedStorage& shared = block_storage<SharedStorage>();
  const Scalars scalars = read_scalars(passed);
  for (; begin < n; begin += grid_size() * share_items) {
    const u64 end = n - begin < share_items ? n : begin + share_items;
    Accumulator prefix = initial_of(scalars);
    for (u64 first = begin; first < end; first += tile_items) {
      const TileInputs from = inputs_from(inputs, first);
      const TileResults to = results_from(results, first);
      if (end - first >= tile_items) {
        scan_tile<true>(from, to, tile_items, scalars, first > begin, prefix, shared);
      } else {
        scan_tile<false>(from, to, int(end - first), scalars, first > begin, prefix, shared);
      }
    }
  }
}
