// Block-wide scan by doubling distances in shared memory (Kogge and Stone, 1973), in one buffer: between two barriers
// threads read, or they write.
#pragma once

#include "parameters.cuh"
#include "operator/combine.value.cuh"

struct BlockScanStorage {
  Local value[threads_per_block];
};

// Exclusive scan of one value per thread over the first `active` threads of the block. `exclusive` becomes the thread's
// exclusive prefix (untouched in thread 0, which has none). Returns the total to all threads.
template <bool whole>
__device__ __forceinline__ Local block_scan(Local value, int active, Local& exclusive, BlockScanStorage& storage) {
  const int thread = thread_index();
  const bool is_active = whole || thread < active;
  Local inclusive = value;
  if (is_active) storage.value[thread] = inclusive;
#pragma unroll 1
  for (int distance = 1; distance < threads_per_block; distance *= 2) {
    const bool takes = is_active && thread >= distance;
    block_barrier();
    Local below;
    if (takes) below = storage.value[thread - distance];
    block_barrier();
    if (takes) storage.value[thread] = inclusive = combine(below, inclusive);
  }
  block_barrier();
  if (is_active && thread > 0) exclusive = storage.value[thread - 1];
  return storage.value[(whole ? threads_per_block : active) - 1];
}
