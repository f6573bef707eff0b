#pragma once

#include "algorithm/lift.cuh"
#include "block/scan.warp_scans.cuh"
#include "parameters.cuh"
#include "thread/operator.plus.cuh"
#include "thread/reduce.sequential.cuh"
#include "thread/scan.cuh"
#include "tile/geometry.cuh"
#include "tile/load.direct.cuh"
#include "tile/store.direct.cuh"

struct TileStorage {
  union {
    LoadStorage load;
    StoreStorage store;
  } exchange;
  BlockScanStorage scan;
};

// First half of scanning a tile: loads it and folds each thread's items, then scans the folds over the block. `before`
// becomes the fold of the tile's items before this thread's. Returns the tile's total to all threads.
template <bool whole>
__device__ __forceinline__ Accumulator upsweep_tile(const Input* in, int valid, Accumulator (&items)[items_per_thread],
                                                    Accumulator& before, TileStorage& storage) {
  Input loaded[items_per_thread];
  load_tile<whole>(in, valid, loaded, storage.exchange.load);
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) items[i] = lift(loaded[i]);
  const Accumulator folded = thread_reduce<whole>(items, items_of_thread(valid));
  return block_scan<whole>(folded, active_threads(valid), before, storage.scan);
}

// Second half: scans each thread's items from what stands before them, emits the results and stores them. `prefix`,
// where there is one, is the fold of all that stands before the tile.
template <bool whole>
__device__ __forceinline__ void downsweep_tile(Output* out, int valid, Accumulator (&items)[items_per_thread],
                                               Accumulator before, bool has_prefix, Accumulator prefix,
                                               TileStorage& storage) {
  const bool first_thread = thread_index() == 0, active = whole || thread_index() < active_threads(valid);
  const bool has_carry = has_prefix || !first_thread;
  const Accumulator carry = first_thread ? prefix : has_prefix && active ? combine(prefix, before) : before;
  thread_scan<whole>(items, items_of_thread(valid), has_carry, carry);
  Output results[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) results[i] = Output(items[i]);
  store_tile<whole>(out, valid, results, storage.exchange.store);
}
