// Block-wide scan by a tree in shared memory (Harris, Sengupta and Owens, GPU Gems 3, 2007, chapter 39, after
// Blelloch), whose addresses are a power of two apart: the banks conflict (section 39.2.2).
#pragma once

#include "block/blelloch.cuh"
#include "parameters.cuh"

struct BlockScanStorage {
  Local value[threads_per_block];
  Local total;
};

// Exclusive scan of one value per thread over the first `active` threads of the block. `exclusive` becomes the thread's
// exclusive prefix (untouched in thread 0, which has none). Returns the total to all threads.
template <bool whole>
__device__ __forceinline__ Local block_scan(Local value, int active, Local& exclusive, BlockScanStorage& storage) {
  blelloch_scan<whole, false>(value, active, exclusive, storage.value, storage.total);
  return storage.total;
}
