// Block-wide scan by a tree in shared memory (Harris, Sengupta and Owens, GPU Gems 3, 2007, chapter 39, after
// Blelloch), with one free element after every 32 against conflicts of the banks (section 39.2.3).
#pragma once

#include "block/blelloch.cuh"
#include "parameters.cuh"

struct BlockScanStorage {
  Local value[padded(threads_per_block)];
  Local total;
};

// Exclusive scan of one value per thread over the first `active` threads of the block. `exclusive` becomes the thread's
// exclusive prefix (untouched in thread 0, which has none). Returns the total to all threads.
template <bool whole>
__device__ __forceinline__ Local block_scan(Local value, int active, Local& exclusive, BlockScanStorage& storage) {
  blelloch_scan<whole, true>(value, active, exclusive, storage.value, storage.total);
  return storage.total;
}
