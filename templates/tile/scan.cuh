#pragma once

#include "block/scan.warp_scans.cuh"
#include "parameters.cuh"
#include "operator/combine.value.cuh"
#include "thread/reduce.sequential.cuh"
#include "tile/downsweep.dense.cuh"
#include "tile/geometry.cuh"
#include "tile/inputs.single.cuh"

struct TileStorage {
  union {
    InputsStorage load;
    StoreStorage store;
  } exchange;
  BlockScanStorage scan;
};

// First half of scanning a tile: loads it and folds each thread's items, then scans the folds over the block. `before`
// becomes the fold of the tile's items before this thread's. Returns the tile's total to all threads.
template <bool whole>
__device__ __forceinline__ Local upsweep_tile(const TileInputs& inputs, int valid, const Scalars& scalars,
                                              TileItems& tile, Local& before, TileStorage& storage) {
  load_items<whole>(inputs, valid, tile, storage.exchange.load);
  Local local[items_per_thread];
  lift_items(tile, scalars, local);
  const Local folded = thread_reduce<whole>(local, items_of_thread(valid));
  return block_scan<whole>(folded, active_threads(valid), before, storage.scan);
}
