// The upsweep of a tile, for scans in blocked arrangement.
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

// Upsweep of a tile: loads it, folds each thread's items, and scans the folds over the block. `exclusive` becomes the
// thread's exclusive prefix within the tile (untouched in thread 0). Returns the tile's total to all threads.
template <bool whole>
__device__ __forceinline__ Local upsweep_tile(const TileInputs& inputs, int valid, const Scalars& scalars,
                                              TileItems& tile, Local& exclusive, TileStorage& storage) {
  load_items<whole>(inputs, valid, tile, storage.exchange.load);
  Local local[items_per_thread];
  lift_items<whole>(tile, valid, scalars, local);
  const Local folded = thread_reduce<whole>(local, items_of_thread(valid));
  return block_scan<whole>(folded, active_threads(valid), exclusive, storage.scan);
}
